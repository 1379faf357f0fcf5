import type { SqliteMigration } from '../schema/sqlite.ts'

// `pending` holds a row for each message that a group still has to handle: progress per message, so that one message that is
// always rejected holds back nothing but its key. AUTOINCREMENT: a number is never used again, readers rely on it.
const schemaOf010 = `
  CREATE TABLE messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX messages_of_key ON messages (topic, key);
  CREATE TABLE consumer_groups (id INTEGER PRIMARY KEY, topic TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (topic, name)) STRICT;
  CREATE TABLE pending (group_id INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (group_id, seq)) STRICT, WITHOUT ROWID;
`

/** What is stored in the file of the bus, step by step. */
export const busMigrations: readonly SqliteMigration[] = [
  { number: 1, name: 'tables of 0.1.0', requires: 1, apply: (db) => db.exec(schemaOf010) },
]
