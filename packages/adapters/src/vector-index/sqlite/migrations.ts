import type { SqliteMigration } from '../../schema/sqlite.ts'

/**
 * One partition per namespace of a space. A point's row id combines partition and slot, so a namespace's points are
 * adjacent, and a slot is also an index in the arrays in memory. Slots of removed points are reused.
 * `tokens` holds the tokens that filters compare, each prefixed with its partition's number, so that namespaces never
 * share a posting list. `search_mode` and `judged_count` are no longer used.
 */
const schemaOf010 = `
  CREATE TABLE spaces (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL);
  CREATE TABLE partitions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    space INTEGER NOT NULL,
    namespace_id TEXT NOT NULL,
    points INTEGER NOT NULL DEFAULT 0,
    slots INTEGER NOT NULL DEFAULT 0,
    search_mode TEXT,
    judged_count INTEGER NOT NULL DEFAULT 0,
    UNIQUE (space, namespace_id)
  );
  CREATE TABLE points (
    id INTEGER PRIMARY KEY,
    partition INTEGER NOT NULL,
    item_id TEXT NOT NULL,
    version TEXT NOT NULL,
    passage INTEGER NOT NULL,
    vector BLOB NOT NULL
  );
  CREATE UNIQUE INDEX points_by_address ON points (partition, item_id, version, passage);
  CREATE TABLE free_slots (partition INTEGER NOT NULL, slot INTEGER NOT NULL, PRIMARY KEY (partition, slot)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE tokens USING fts5(list, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
`

/**
 * Lexemes (`packLexemes`) give the exact BM25 of a point; `tokens` finds the points of a lexeme. Triggers delete the
 * lexemes with their point, even if an earlier version of Cairn removes or replaces it.
 */
const schemaOfLexemes = `
  CREATE TABLE lexemes (id INTEGER PRIMARY KEY, length INTEGER NOT NULL, packed BLOB NOT NULL);
  CREATE TRIGGER lexemes_of_removed AFTER DELETE ON points BEGIN DELETE FROM lexemes WHERE id = old.id; END;
  CREATE TRIGGER lexemes_of_replaced AFTER UPDATE ON points BEGIN DELETE FROM lexemes WHERE id = old.id; END;
`

/** `freed`: seconds since 1970; slots freed by an earlier version of Cairn have 0. */
const schemaOfFreedTimes = `
  ALTER TABLE free_slots ADD COLUMN freed INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX free_slots_by_time ON free_slots (partition, freed, slot);
`

export const vectorMigrations: readonly SqliteMigration[] = [
  { number: 1, name: 'tables of 0.1.0', requires: 1, apply: (db) => db.exec(schemaOf010) },
  { number: 2, name: 'lexemes of points', requires: 1, apply: (db) => db.exec(schemaOfLexemes) },
  { number: 3, name: 'times of free slots', requires: 1, apply: (db) => db.exec(schemaOfFreedTimes) },
]
