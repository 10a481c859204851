// Command pack puts a folder into an archive, a .tar.gz or a .zip by its name. The
// same folder gives the same bytes: the files are in order, belong to nobody, and
// all have the time that SOURCE_DATE_EPOCH says.
package main

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack ARCHIVE FOLDER")
		os.Exit(2)
	}
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack: set SOURCE_DATE_EPOCH to the time that all files are to have, in seconds since 1970")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2], time.Unix(seconds, 0).UTC()); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// archive takes files one after another.
type archive interface {
	add(name string, mode fs.FileMode, content []byte) error
	io.Closer
}

// pack puts a folder, under its own name, into a new archive.
func pack(name, folder string, at time.Time) error {
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	var a archive
	switch {
	case strings.HasSuffix(name, ".tar.gz"):
		a = newTarball(out, at)
	case strings.HasSuffix(name, ".zip"):
		a = newZipped(out, at)
	default:
		err = fmt.Errorf("%s: the name must end in .tar.gz or .zip", name)
	}
	if err == nil {
		err = errors.Join(fill(a, folder), a.Close())
	}
	return errors.Join(err, out.Close())
}

// fill adds every file below folder, in the order of their names.
func fill(a archive, folder string) error {
	return filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(folder, file)
		if err != nil {
			return err
		}
		return a.add(path.Join(filepath.Base(folder), filepath.ToSlash(below)), mode, content)
	})
}

type tarball struct {
	*tar.Writer
	zip *gzip.Writer
	at  time.Time
}

func newTarball(w io.Writer, at time.Time) tarball {
	z, _ := gzip.NewWriterLevel(w, gzip.BestCompression) // the level is a good one
	return tarball{tar.NewWriter(z), z, at}
}

func (t tarball) add(name string, mode fs.FileMode, content []byte) error {
	head := &tar.Header{Name: name, Mode: int64(mode), Size: int64(len(content)), ModTime: t.at, Format: tar.FormatUSTAR}
	if err := t.WriteHeader(head); err != nil {
		return err
	}
	_, err := t.Write(content)
	return err
}

func (t tarball) Close() error { return errors.Join(t.Writer.Close(), t.zip.Close()) }

type zipped struct {
	*zip.Writer
	at time.Time
}

func newZipped(w io.Writer, at time.Time) zipped {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	return zipped{z, at}
}

func (z zipped) add(name string, mode fs.FileMode, content []byte) error {
	head := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: z.at}
	head.SetMode(mode)
	w, err := z.CreateHeader(head)
	if err != nil {
		return err
	}
	_, err = w.Write(content)
	return err
}
