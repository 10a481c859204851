package login

import (
	"errors"

	"golang.org/x/sys/windows/registry"
)

const (
	runKey      = `Software\Microsoft\Windows\CurrentVersion\Run`
	approvedKey = `Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run`
	valueName   = "Notifio"
)

func read() (program string, ok bool) {
	line, ok := command()
	return commandProgram(line), ok && approved(approval())
}

// command is the line of the Run key, if it has one.
func command() (line string, ok bool) {
	k, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE)
	if err != nil {
		return "", false
	}
	defer k.Close()
	line, _, err = k.GetStringValue(valueName)
	return line, err == nil
}

// written says whether the line is what write made of e.
func written(e Entry) bool {
	line, ok := command()
	want, err := commandLine(e)
	return ok && err == nil && line == want
}

func approval() []byte {
	k, err := registry.OpenKey(registry.CURRENT_USER, approvedKey, registry.QUERY_VALUE)
	if err != nil {
		return nil
	}
	defer k.Close()
	state, _, _ := k.GetBinaryValue(valueName)
	return state
}

func write(e Entry) error {
	line, err := commandLine(e)
	if err != nil {
		return err
	}
	k, _, err := registry.CreateKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer k.Close()
	if err := k.SetStringValue(valueName, line); err != nil {
		return err
	}
	return forget(approvedKey) // what was switched off in Task Manager is on again
}

func remove() error { return errors.Join(forget(runKey), forget(approvedKey)) }

// forget deletes the value below a key, if both are there.
func forget(key string) error {
	k, err := registry.OpenKey(registry.CURRENT_USER, key, registry.SET_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer k.Close()
	if err := k.DeleteValue(valueName); err != nil && !errors.Is(err, registry.ErrNotExist) {
		return err
	}
	return nil
}
