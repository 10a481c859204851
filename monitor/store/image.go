package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// What is where in a page of a database: https://sqlite.org/fileformat2.html.
const (
	walMode     = 18 // in the first one, two bytes: 2 with a WAL, 1 without
	pageCountAt = 28 // in the first one, four bytes
	indexLeaf   = 10 // the first byte of the others
	tableLeaf   = 13
)

// image is a database file with the WAL beside it, as SQLite would read them, but without
// touching either: the folder may be read-only, and SQLite destroys a WAL whose database
// is empty. It has no page when both are. Errors wrap ErrDisk, or ErrDamaged where there
// is nothing or no file. Not for a file that this process has open: closing it
// would end SQLite's locks on it.
func image(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: it is not a file", ErrDamaged)
	}
	// The WAL first: what is folded from it into the file meanwhile is in both.
	wal, noWAL := os.ReadFile(path + "-wal")
	file, noFile := os.ReadFile(path)
	for _, err := range []error{noWAL, noFile} {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, explain("read the database", err)
		}
	}
	if noFile != nil && len(wal) == 0 {
		return nil, errMissing
	}
	return replay(file, wal), nil
}

// replay puts the pages of all whole transactions in a WAL over those of its database:
// https://sqlite.org/fileformat2.html#walformat.
func replay(pages, wal []byte) []byte {
	const header, frameHeader = 32, 24
	if len(wal) < header {
		return pages
	}
	var order binary.ByteOrder = binary.LittleEndian
	magic := binary.BigEndian.Uint32(wal)
	if magic&1 == 1 {
		order = binary.BigEndian
	}
	size := int(binary.BigEndian.Uint32(wal[8:]))
	sum := checksum(order, [2]uint32{}, wal[:24])
	if magic&^1 != 0x377f0682 || size < 512 || size > 65536 || size&(size-1) != 0 || !sum.is(wal[24:]) {
		return pages
	}
	salt, rest := wal[16:24], wal[header:]
	pending := make(map[int][]byte) // of a transaction whose end is not seen yet
	for ; len(rest) >= frameHeader+size; rest = rest[frameHeader+size:] {
		page := rest[frameHeader : frameHeader+size]
		sum = checksum(order, checksum(order, sum, rest[:8]), page)
		number, committed := int(binary.BigEndian.Uint32(rest)), int(binary.BigEndian.Uint32(rest[4:]))
		if !bytes.Equal(rest[8:16], salt) || !sum.is(rest[16:]) || number == 0 {
			break // the rest is of an earlier use of the file, or was torn in writing
		}
		pending[number] = page
		if committed == 0 {
			continue
		}
		pages = resized(pages, committed*size) // the database's size after the transaction
		for number, page := range pending {
			if number <= committed {
				copy(pages[(number-1)*size:], page)
			}
		}
		clear(pending)
	}
	return pages
}

func resized(pages []byte, size int) []byte {
	if len(pages) < size {
		pages = append(pages, make([]byte, size-len(pages))...)
	}
	return pages[:size]
}

// walSum is the running checksum of a WAL.
type walSum [2]uint32

func checksum(order binary.ByteOrder, sum walSum, of []byte) walSum {
	for ; len(of) >= 8; of = of[8:] {
		sum[0] += order.Uint32(of) + sum[1]
		sum[1] += order.Uint32(of[4:]) + sum[0]
	}
	return sum
}

func (s walSum) is(stored []byte) bool {
	return s[0] == binary.BigEndian.Uint32(stored) && s[1] == binary.BigEndian.Uint32(stored[4:])
}
