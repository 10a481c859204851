// Package store is the disk: one SQLite file that implements monitor.Ledger, its
// daily backups, and the journal of replies beside it.
//
// What Save has acknowledged survives a crash of the program and of the machine:
// the file is in WAL mode with synchronous=FULL, and a change is one transaction.
// Opening never refuses to start. A damaged file is set aside and the newest good
// backup takes its place; a file of a newer Notifio is left alone and this one
// works beside it; a disk that cannot be written is replaced by memory for the
// run. Whatever happened is returned in words.
//
// The package decides nothing about listings, alerts or hosts, and it does not
// keep two programs out of one folder: its caller holds that lock.
package store
