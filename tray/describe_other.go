//go:build windows || darwin

package tray

import "context"

// DescribeHost says which program shows icons: the system itself.
func DescribeHost(context.Context) (string, error) { return "the system's own", nil }

// DescribeNotifications says which service shows banners: the system itself. Whether
// the user lets it is not asked.
func DescribeNotifications(context.Context) (string, error) { return "the system's own", nil }
