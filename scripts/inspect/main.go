// Command inspect looks into programs for Windows before they are handed out: each
// must have the kind of window that its name promises, an icon, a manifest and the
// version.
package main

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"unicode/utf16"
)

func main() {
	window := flag.String("window", "", "program that must have no console")
	console := flag.String("console", "", "program that must have one")
	version := flag.String("version", "", "version that both must tell")
	flag.Parse()
	err := errors.Join(
		inspect(*window, pe.IMAGE_SUBSYSTEM_WINDOWS_GUI, *version),
		inspect(*console, pe.IMAGE_SUBSYSTEM_WINDOWS_CUI, *version),
	)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// resources are what a program must carry, by the number of the kind.
// https://learn.microsoft.com/windows/win32/menurc/resource-types
var resources = map[uint32]string{3: "icon", 14: "group of icons", 16: "version", 24: "manifest"}

func inspect(name string, subsystem uint16, version string) error {
	f, err := pe.Open(name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer f.Close()
	var problems []error
	head, ok := f.OptionalHeader.(*pe.OptionalHeader64)
	if !ok {
		return fmt.Errorf("%s: not a program of 64 bits", name)
	}
	if head.Subsystem != subsystem {
		problems = append(problems, fmt.Errorf("%s: its subsystem is %d, want %d", name, head.Subsystem, subsystem))
	}
	section := f.Section(".rsrc")
	if section == nil {
		return errors.Join(append(problems, fmt.Errorf("%s: it has no resources", name))...)
	}
	data, err := section.Data()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	there := kinds(data)
	for kind, what := range resources {
		if !there[kind] {
			problems = append(problems, fmt.Errorf("%s: it has no %s", name, what))
		}
	}
	if !bytes.Contains(data, wide("ProductVersion")) || !bytes.Contains(data, wide(version)) {
		problems = append(problems, fmt.Errorf("%s: it does not tell the version %s", name, version))
	}
	return errors.Join(problems...)
}

// kinds are the numbers in the topmost directory of a section of resources: a
// head of 16 bytes that ends with two counts, then 8 bytes for each kind.
func kinds(section []byte) map[uint32]bool {
	const head, entry = 16, 8
	out := map[uint32]bool{}
	if len(section) < head {
		return out
	}
	count := int(binary.LittleEndian.Uint16(section[12:])) + int(binary.LittleEndian.Uint16(section[14:]))
	for rest := section[head:]; count > 0 && len(rest) >= entry; count, rest = count-1, rest[entry:] {
		out[binary.LittleEndian.Uint32(rest)] = true
	}
	return out
}

// wide is text as Windows keeps it, with the zero that ends it.
func wide(text string) (out []byte) {
	for _, unit := range append(utf16.Encode([]rune(text)), 0) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return out
}
