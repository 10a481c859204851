package store

import (
	"context"
	"database/sql"
	"fmt"
)

// migrations lead from an empty file to today's schema: the one at index n makes
// version n+1 of version n. One that has been released is never edited.
//
// Times are nanoseconds since 1970 and 0 for the zero time; durations are
// nanoseconds. A column "day" counts days of use (see use.go) and says when the
// row was last written, for pruning.
var migrations = []string{`
CREATE TABLE meta (
	one   INTEGER PRIMARY KEY CHECK (one = 1),
	day   INTEGER NOT NULL, -- days of use so far
	today TEXT NOT NULL     -- the local date of the last of them
) STRICT;
INSERT INTO meta VALUES (1, 0, '');

CREATE TABLE search (
	id  INTEGER PRIMARY KEY,
	url TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE record (
	search INTEGER NOT NULL REFERENCES search (id),
	view   TEXT NOT NULL,
	body   TEXT NOT NULL, -- monitor.Record
	PRIMARY KEY (search, view)
) STRICT;

CREATE TABLE known (
	search     INTEGER NOT NULL REFERENCES search (id),
	key        TEXT NOT NULL,
	canonical  TEXT NOT NULL,
	how        TEXT NOT NULL,
	amount     REAL NOT NULL,
	amount_max REAL NOT NULL,
	currency   TEXT NOT NULL,
	period     TEXT NOT NULL,
	price_text TEXT NOT NULL,
	area       REAL NOT NULL,
	title      TEXT NOT NULL,
	left_day   INTEGER NOT NULL,
	at         INTEGER NOT NULL,
	day        INTEGER NOT NULL,
	PRIMARY KEY (search, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX known_canonical ON known (search, canonical) WHERE canonical <> '';
CREATE INDEX known_left ON known (day) WHERE left_day >= 0;

CREATE TABLE alert (
	id        TEXT PRIMARY KEY,
	key       TEXT NOT NULL,
	canonical TEXT NOT NULL,
	closed    INTEGER NOT NULL,
	found     INTEGER NOT NULL,
	day       INTEGER NOT NULL,
	body      TEXT NOT NULL -- monitor.Alert
) STRICT;
CREATE INDEX alert_key ON alert (key);
CREATE INDEX alert_canonical ON alert (canonical) WHERE canonical <> '';
CREATE INDEX alert_state ON alert (closed, found);

CREATE TABLE host (
	host TEXT PRIMARY KEY,
	body TEXT NOT NULL -- monitor.HostRecord
) STRICT;

CREATE TABLE message (
	id        TEXT PRIMARY KEY,
	recipient TEXT NOT NULL,
	alerts    TEXT NOT NULL, -- a list of alert ids
	plain     INTEGER NOT NULL,
	raw       BLOB,          -- NULL: nothing is on its way
	at        INTEGER NOT NULL
) STRICT;

CREATE TABLE stretch (
	id       INTEGER PRIMARY KEY,
	search   INTEGER NOT NULL REFERENCES search (id),
	verdict  TEXT NOT NULL,
	reason   TEXT NOT NULL,
	since    INTEGER NOT NULL,
	until    INTEGER NOT NULL,
	checks   INTEGER NOT NULL,
	took     INTEGER NOT NULL,
	slowest  INTEGER NOT NULL,
	listings INTEGER NOT NULL,
	news     INTEGER NOT NULL,
	day      INTEGER NOT NULL
) STRICT;
CREATE INDEX stretch_search ON stretch (search);
`, `
ALTER TABLE known ADD COLUMN id TEXT NOT NULL DEFAULT '';
ALTER TABLE known ADD COLUMN filter TEXT NOT NULL DEFAULT '';
ALTER TABLE known ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
ALTER TABLE known ADD COLUMN unsure INTEGER NOT NULL DEFAULT 0;
CREATE INDEX known_id ON known (search, id) WHERE id <> '';

-- The numbers of what stood on the last accepted pages are in the baselines.
UPDATE known SET id = page.id FROM (
	SELECT record.search, json_extract(listing.value, '$.key') AS key, json_extract(listing.value, '$.id') AS id
	FROM record, json_each(CASE WHEN json_valid(body) THEN body ELSE '{}' END, '$.Baseline') AS listing
) AS page WHERE page.search = known.search AND page.key = known.key AND page.id IS NOT NULL;
`, `
ALTER TABLE known ADD COLUMN words TEXT NOT NULL DEFAULT '';
`, `
CREATE TABLE destination (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE delivery (
	alert       TEXT NOT NULL REFERENCES alert (id) ON DELETE CASCADE,
	destination TEXT NOT NULL,    -- '' stands for all that will be there next
	told        INTEGER NOT NULL, -- 0: pending
	PRIMARY KEY (alert, destination)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_pending ON delivery (destination) WHERE told = 0;

-- Whom an alert was for was not written down: whoever is a destination now and is not
-- among those that were told.
INSERT INTO delivery SELECT alert.id, told.key, max(1, unixepoch(told.value) * 1000000000)
	FROM alert, json_each(CASE WHEN json_valid(body) THEN body ELSE '{}' END, '$.Told') AS told
	WHERE unixepoch(told.value) IS NOT NULL;
INSERT OR IGNORE INTO delivery SELECT id, '', 0 FROM alert WHERE closed = 0;
ALTER TABLE alert ADD COLUMN bannered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE alert ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
UPDATE alert SET bannered = coalesce(json_extract(body, '$.Bannered'), 0), seen = coalesce(json_extract(body, '$.Seen'), 0)
	WHERE json_valid(body);
DROP INDEX alert_state;
ALTER TABLE alert DROP COLUMN closed;
CREATE INDEX alert_found ON alert (found);
CREATE INDEX alert_silent ON alert (id) WHERE bannered = 0;
CREATE INDEX alert_unseen ON alert (id) WHERE seen = 0;

ALTER TABLE message RENAME COLUMN recipient TO destination;
ALTER TABLE message ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE message ADD COLUMN perhaps INTEGER NOT NULL DEFAULT 0;
`, `
-- On which day of use a search was last heard of.
ALTER TABLE search ADD COLUMN day INTEGER NOT NULL DEFAULT 0;
UPDATE search SET day = (SELECT day FROM meta);
DROP INDEX known_left;
CREATE INDEX known_day ON known (day);
CREATE INDEX alert_day ON alert (day);
CREATE INDEX stretch_day ON stretch (day);
`}

// migrate brings an open database to the newest of steps, one transaction each,
// so that a crash leaves the version before. It wraps ErrNewer, and ErrDamaged
// when the file has tables but no version: it is not ours.
func migrate(ctx context.Context, db *sql.DB, steps []string) error {
	var version, objects int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return explain("read the schema version", err)
	}
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&objects); err != nil {
		return explain("read the schema", err)
	}
	switch {
	case version > len(steps):
		return fmt.Errorf("schema %d, this version knows %d: %w", version, len(steps), ErrNewer)
	case version < 0 || (version == 0 && objects > 0):
		return fmt.Errorf("%w: it is another program's database", ErrDamaged)
	}
	for n := version; n < len(steps); n++ {
		if err := step(ctx, db, n+1, steps[n]); err != nil {
			return explain(fmt.Sprintf("bring the database to schema %d", n+1), err)
		}
	}
	return nil
}

func step(ctx context.Context, db *sql.DB, version int, script string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, script); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return err
	}
	return tx.Commit()
}
