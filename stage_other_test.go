//go:build !linux

package main

// sayGoroutines is for tests that need Linux.
func sayGoroutines() {}
