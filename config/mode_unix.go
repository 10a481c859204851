//go:build !windows

package config

import "io/fs"

// readableByOthers says whether group or world may touch the file.
func readableByOthers(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }
