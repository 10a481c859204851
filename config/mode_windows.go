package config

import "io/fs"

// readableByOthers is not asked on Windows: a user's folders there are closed to
// other users by default, and the mode bits say nothing.
func readableByOthers(fs.FileInfo) bool { return false }
