package browser

import (
	"fmt"
	"os/exec"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// detach gives node a process group of its own, so that Ctrl-C reaches Notifio
// alone, which then ends the browser in order.
func detach(attr *syscall.SysProcAttr) {
	attr.CreationFlags |= syscall.CREATE_NEW_PROCESS_GROUP
}

// adopt puts a process, and with it all that it starts from now on, into a job
// that Windows ends with the last handle to it: when Notifio dies in any way.
// release closes that handle, and so ends what is left of the tree.
func adopt(pid int) (release func(), err error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("job for the browser: %w", err)
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
		},
	}
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		_ = windows.CloseHandle(job)
		return nil, fmt.Errorf("job for the browser: %w", err)
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		_ = windows.CloseHandle(job)
		return nil, fmt.Errorf("job for the browser: %w", err)
	}
	defer func() { _ = windows.CloseHandle(process) }()
	if err := windows.AssignProcessToJobObject(job, process); err != nil {
		_ = windows.CloseHandle(job)
		return nil, fmt.Errorf("job for the browser: %w", err)
	}
	return func() { _ = windows.CloseHandle(job) }, nil
}

// killGroup ends a process and all below it. One that is not there any more is
// what was wanted.
func killGroup(leader int) error {
	if identity(leader) == "" {
		return nil
	}
	return hidden(exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(leader))).Run()
}

// hidden is a command without a console of its own: a program without one would
// otherwise show one for a moment at each.
func hidden(cmd *exec.Cmd) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
	return cmd
}

// identity names a process in a way that survives the reuse of its pid: by the
// time it was created.
func identity(pid int) string {
	if pid <= 0 {
		return ""
	}
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer func() { _ = windows.CloseHandle(process) }()
	var code uint32
	const stillActive = 259
	if err := windows.GetExitCodeProcess(process, &code); err != nil || code != stillActive {
		return ""
	}
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(process, &created, &exited, &kernel, &user); err != nil {
		return ""
	}
	return strconv.FormatInt(created.Nanoseconds(), 10)
}

// uses is not needed here: Windows ends a profile's lock with its owner.
func uses(int, string) bool { return false }

// memory cannot be told here, so browsers are recycled by the count of checks alone.
func memory(int) uint64 { return 0 }
