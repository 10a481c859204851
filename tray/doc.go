// Package tray is everything that a user sees of a running Notifio: the icon, its
// tooltip and menu, the desktop banners, and, on a machine without a tray, the
// lines in the terminal.
//
// What is shown follows from plain functions of the view that the monitor
// publishes (Menu, Lines); painter finds out which labels have to be sent; and
// native.go alone speaks to the tray library. A Tray keeps the newest view only and
// the monitor never waits for it.
//
// The package decides nothing about searches and listings: a click becomes a call
// of one of the Actions.
package tray
