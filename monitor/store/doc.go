// Package store is the disk: one SQLite file that implements monitor.Ledger, its
// daily backups, and the journal of replies beside it.
//
// All that is on record is also in memory, in a second SQLite database. Reading asks
// memory alone; a change is one transaction on the disk and then the same one in memory.
// So what Save has acknowledged survives a crash of the program and of the machine
// (WAL, synchronous=FULL); and when the disk refuses, or the file turns out to be
// damaged, the store goes on from memory and writes all of it to a new file that takes
// the old one's place, as soon as that can be done. Trouble says so meanwhile.
//
// Opening refuses nothing but a sound file of a newer Notifio. A damaged file is set
// aside with its WAL; the newest good backup, and what waits in the two, take its place.
//
// The package decides nothing about listings, alerts or hosts, and it does not
// keep two programs out of one folder: its caller holds that lock.
package store
