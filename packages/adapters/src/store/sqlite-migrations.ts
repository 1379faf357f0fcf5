import type { DatabaseSync } from 'node:sqlite'
import type { SqliteMigration } from '../schema/sqlite.ts'
import { addedFields, lexemesOfForm1, modelsOfNamespace, refuseUnfinished, type Unfinished } from './form-1.ts'

/** One table per collection: the searched fields as columns, and the whole document as JSON. */
const schemaOf010 = `
  CREATE TABLE store_time (id INTEGER PRIMARY KEY CHECK (id = 1), at REAL NOT NULL);
  CREATE TABLE accounts (id, reservationCount, document TEXT NOT NULL, PRIMARY KEY (id));
  CREATE TABLE apiKeys (id, accountId, document TEXT NOT NULL, PRIMARY KEY (id));
  CREATE TABLE namespaces (id, accountId, name, openCount, state, document TEXT NOT NULL, PRIMARY KEY (id));
  CREATE TABLE items (namespaceId, id, status, updatedAt, document TEXT NOT NULL, PRIMARY KEY (namespaceId, id));
  CREATE TABLE uploads (id, state, nextAttemptAt, createdAt, updatedAt, namespaceId, document TEXT NOT NULL, PRIMARY KEY (id));
  CREATE TABLE files (id, namespaceId, name, state, nextAttemptAt, createdAt, idBase, document TEXT NOT NULL, PRIMARY KEY (id));
  CREATE TABLE chunks (id, namespaceId, itemId, version, document TEXT NOT NULL, PRIMARY KEY (id));
  CREATE TABLE grants (namespaceId, name, nextLookAt, expiresAt, document TEXT NOT NULL, PRIMARY KEY (namespaceId, name));
  CREATE TABLE deletions (id, state, nextAttemptAt, createdAt, updatedAt, namespaceId, target, document TEXT NOT NULL, PRIMARY KEY (id));
  CREATE TABLE deadLetters (id, document TEXT NOT NULL, PRIMARY KEY (id));
  CREATE TABLE usage (accountId, period, document TEXT NOT NULL, PRIMARY KEY (accountId, period));
  INSERT INTO store_time VALUES (1, 0);
  CREATE INDEX accounts_by_reservationCount ON accounts (reservationCount);
  CREATE INDEX apiKeys_by_accountId_id ON apiKeys (accountId, id);
  CREATE UNIQUE INDEX namespaces_unique ON namespaces (accountId, name);
  CREATE INDEX namespaces_by_openCount ON namespaces (openCount);
  CREATE INDEX namespaces_by_state_id ON namespaces (state, id);
  CREATE INDEX namespaces_by_accountId_state_name ON namespaces (accountId, state, name);
  CREATE INDEX items_by_status_updatedAt ON items (status, updatedAt);
  CREATE INDEX uploads_by_state_nextAttemptAt ON uploads (state, nextAttemptAt);
  CREATE INDEX uploads_by_state_createdAt ON uploads (state, createdAt);
  CREATE INDEX uploads_by_state_updatedAt ON uploads (state, updatedAt);
  CREATE INDEX uploads_by_namespaceId_id ON uploads (namespaceId, id);
  CREATE UNIQUE INDEX files_unique ON files (namespaceId, name);
  CREATE INDEX files_by_state_nextAttemptAt ON files (state, nextAttemptAt);
  CREATE INDEX files_by_state_createdAt ON files (state, createdAt);
  CREATE INDEX files_by_namespaceId_id ON files (namespaceId, id);
  CREATE INDEX files_by_namespaceId_idBase ON files (namespaceId, idBase);
  CREATE INDEX chunks_by_namespaceId_itemId ON chunks (namespaceId, itemId);
  CREATE INDEX chunks_by_version_id ON chunks (version, id);
  CREATE INDEX grants_by_nextLookAt ON grants (nextLookAt);
  CREATE INDEX grants_by_namespaceId_expiresAt ON grants (namespaceId, expiresAt);
  CREATE INDEX deletions_by_state_nextAttemptAt ON deletions (state, nextAttemptAt);
  CREATE INDEX deletions_by_state_createdAt ON deletions (state, createdAt);
  CREATE INDEX deletions_by_state_updatedAt ON deletions (state, updatedAt);
  CREATE INDEX deletions_by_namespaceId_target_id ON deletions (namespaceId, target, id);
`

const objectOwners = `
  CREATE TABLE installation (id, document TEXT NOT NULL, PRIMARY KEY (id));
  CREATE TABLE retiredNamespaces (id, document TEXT NOT NULL, PRIMARY KEY (id));
  CREATE TABLE orphans (key, lastSeenAt, document TEXT NOT NULL, PRIMARY KEY (key));
  CREATE INDEX orphans_by_lastSeenAt ON orphans (lastSeenAt);
`

/**
 * A trigger fills in the new column: the previous version may still write to the file without it, and a job without an
 * account would never be found.
 */
const orderOfAccounts = ['uploads', 'files', 'deletions']
  .map(
    (table) => `
  ALTER TABLE ${table} ADD COLUMN accountId;
  ALTER TABLE ${table} ADD COLUMN lane;
  UPDATE ${table} SET accountId = json_extract(document, '$.accountId');
  CREATE INDEX ${table}_by_account ON ${table} (state, lane, accountId, namespaceId, nextAttemptAt);
  CREATE TRIGGER ${table}_account AFTER INSERT ON ${table} WHEN NEW.accountId IS NULL BEGIN
    UPDATE ${table} SET accountId = json_extract(document, '$.accountId') WHERE id = NEW.id;
  END;
`,
  )
  .join('')

/** Columns to sum an account's stored bytes; triggers fill them for rows that the previous version writes. */
const storage = `
  ALTER TABLE files ADD COLUMN bytes;
  UPDATE files SET bytes = coalesce(json_extract(document, '$.bytes'), json_extract(document, '$.object.sizeBytes'));
  CREATE INDEX files_by_storage ON files (accountId, bytes);
  CREATE TRIGGER files_bytes AFTER INSERT ON files WHEN NEW.bytes IS NULL BEGIN
    UPDATE files SET bytes = json_extract(document, '$.object.sizeBytes') WHERE id = NEW.id;
  END;
  ALTER TABLE grants ADD COLUMN accountId;
  ALTER TABLE grants ADD COLUMN reservedUntil;
  ALTER TABLE grants ADD COLUMN reservedBytes;
  UPDATE grants SET accountId = json_extract(document, '$.accountId');
  ALTER TABLE grants ADD COLUMN partsUntil;
  ALTER TABLE grants ADD COLUMN partsBytes;
  CREATE INDEX grants_by_reservation ON grants (accountId, reservedUntil, reservedBytes);
  CREATE INDEX grants_by_parts ON grants (accountId, partsUntil, partsBytes);
  CREATE TRIGGER grants_account AFTER INSERT ON grants WHEN NEW.accountId IS NULL BEGIN
    UPDATE grants SET accountId = json_extract(document, '$.accountId') WHERE namespaceId = NEW.namespaceId AND name = NEW.name;
  END;
`

const reindexing = `
  ALTER TABLE namespaces ADD COLUMN reindexPhase;
  CREATE INDEX namespaces_by_reindexPhase_id ON namespaces (reindexPhase, id) WHERE reindexPhase IS NOT NULL;
`

const repeatableRequests = `
  CREATE TABLE repeatableRequests (owner, key, expiresAt, document TEXT NOT NULL, PRIMARY KEY (owner, key));
  CREATE INDEX repeatableRequests_by_expiresAt ON repeatableRequests (expiresAt);
`

const events = `
  CREATE TABLE events (id, accountId, seq, namespaceId, at, document TEXT NOT NULL, PRIMARY KEY (id));
  CREATE UNIQUE INDEX events_unique ON events (accountId, seq);
  CREATE INDEX events_by_namespaceId_seq ON events (namespaceId, seq);
  CREATE INDEX events_by_at ON events (at);
`

const dailyUsage = `
  CREATE TABLE dailyUsage (accountId, entry, day, document TEXT NOT NULL, PRIMARY KEY (accountId, entry));
  CREATE INDEX dailyUsage_by_day ON dailyUsage (day);
`

const reextracting = `
  ALTER TABLE namespaces ADD COLUMN reextractionId;
  CREATE INDEX namespaces_by_reextractionId ON namespaces (reextractionId) WHERE reextractionId IS NOT NULL;
`

const evaluations = `
  CREATE TABLE evaluations (namespaceId, id, document TEXT NOT NULL, PRIMARY KEY (namespaceId, id));
`

const unfinished = `
  SELECT
    (SELECT count(*) FROM namespaces WHERE state = 'active' AND (document ->> '$.hasFields' IS NULL
      OR document ->> '$.type' = 'text' AND coalesce(document ->> '$.lexemes', 1) < ${lexemesOfForm1})) AS points,
    (SELECT count(*) FROM namespaces WHERE state = 'active' AND (${modelsOfNamespace
      .map((at) => `document ->> '$.${at}.provider' = 'local' AND document ->> '$.${at}.weights' IS NULL`)
      .join(' OR ')})) AS models,
    (SELECT count(*) FROM files WHERE instr(document ->> '$.key', '/' || namespaceId || '/') = 0)
      + (SELECT count(*) FROM grants WHERE document ->> '$.state' = 'open'
        AND instr(document ->> '$.key', '/' || namespaceId || '/') = 0) AS keys
`

const fillFields = (db: DatabaseSync): void => {
  for (const [table, fields] of Object.entries(addedFields)) {
    const values = Object.entries(fields).map(([path, value]) => `'$.${path}', json('${JSON.stringify(value)}')`)
    const missing = Object.keys(fields).map((path) => `json_type(document, '$.${path}') IS NULL`)
    db.exec(`UPDATE ${table} SET document = json_insert(document, ${values.join(', ')}) WHERE ${missing.join(' OR ')}`)
  }
  db.exec(`
    UPDATE files SET document = json_insert(document, '$.bytes', document ->> '$.object.sizeBytes')
      WHERE json_type(document, '$.bytes') IS NULL;
  `)
}

export const storeMigrations: readonly SqliteMigration[] = [
  { number: 1, name: 'tables of 0.1.0', requires: 1, apply: (db) => db.exec(schemaOf010) },
  { number: 2, name: 'owners of objects', apply: (db) => db.exec(objectOwners) },
  {
    number: 3,
    name: 'periodic tasks',
    apply: (db) => db.exec('CREATE TABLE tasks (name, document TEXT NOT NULL, PRIMARY KEY (name))'),
  },
  { number: 4, name: 'order of accounts', apply: (db) => db.exec(orderOfAccounts) },
  { number: 5, name: 'storage of accounts', apply: (db) => db.exec(storage) },
  { number: 6, name: 'reindexing of namespaces', apply: (db) => db.exec(reindexing) },
  { number: 7, name: 'idempotency keys', apply: (db) => db.exec(repeatableRequests) },
  { number: 8, name: 'events', apply: (db) => db.exec(events) },
  { number: 9, name: 'daily usage', apply: (db) => db.exec(dailyUsage) },
  {
    number: 10,
    name: 'counters of events',
    apply: (db) => db.exec('CREATE TABLE eventCounters (accountId, document TEXT NOT NULL, PRIMARY KEY (accountId))'),
  },
  { number: 11, name: 're-extraction of namespaces', apply: (db) => db.exec(reextracting) },
  { number: 12, name: 'evaluations', apply: (db) => db.exec(evaluations) },
  {
    number: 13,
    name: 'probes of models',
    apply: (db) => db.exec('CREATE TABLE modelProbes (id, document TEXT NOT NULL, PRIMARY KEY (id))'),
  },
  // The table stays for the previous version, which still writes to it.
  { number: 14, name: 'no dead letters', apply: (db) => db.exec('DELETE FROM deadLetters') },
  {
    number: 15,
    name: 'form 1',
    check: (db) => refuseUnfinished(db.prepare(unfinished).get() as Unfinished),
    apply: fillFields,
  },
]
