// Package monitor is the heart of Notifio: it decides when each saved search is
// checked, what a finished check means for its host and for the search, which
// listings are news, and in which order that is saved and told.
//
// One goroutine, the one in Run, owns all state; everything that decides is a
// plain function of values and of a time that is handed to it. The outside world
// is reached through four small interfaces declared here: Checker (a browser),
// Ledger (a disk), Courier (an email on its way) and Notifier (a banner).
//
// The package imports the standard library alone. It does not load pages, write
// files, speak SMTP or draw menus.
package monitor
