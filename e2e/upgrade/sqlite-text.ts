import { DatabaseSync } from 'node:sqlite'

const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

const literal = (value: unknown): string => {
  if (value === null) return 'NULL'
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`
  // Replaces each line break with an SQL expression, so that a row stays on one line.
  if (typeof value === 'string') return `'${value.replaceAll("'", "''").replaceAll('\n', "'||char(10)||'")}'`
  return String(value)
}

type Entry = { readonly type: string; readonly name: string; readonly sql: string }

/**
 * Returns a database file as SQL text that recreates it: tables, rows (bytes in hexadecimal), indexes and
 * `user_version`. For virtual tables, the rows of the shadow tables are written.
 */
export const sqliteText = (file: string): string => {
  const db = new DatabaseSync(file)
  try {
    const entries = db
      .prepare(
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
      )
      .all() as Entry[]
    const virtual = entries.filter(({ sql }) => /^CREATE VIRTUAL/i.test(sql)).map(({ name }) => name)
    const isShadow = ({ name }: Entry) => virtual.some((of) => name.startsWith(`${of}_`))
    const rowsOf = (name: string, { replaces = false } = {}): string[] => {
      const all = db.prepare(`SELECT * FROM ${quotedName(name)}`)
      all.setReadBigInts(true)
      const rows = all.all() as Record<string, unknown>[]
      const inserts = rows.map(
        (row) =>
          `INSERT INTO ${quotedName(name)} (${Object.keys(row).map(quotedName).join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')});`,
      )
      return replaces ? [`DELETE FROM ${quotedName(name)};`, ...inserts] : inserts
    }
    const tables = entries.filter((entry) => entry.type === 'table')
    const counters = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").get()
      ? rowsOf('sqlite_sequence', { replaces: true })
      : []
    const { page_size: pageSize } = db.prepare('PRAGMA page_size').get() as { page_size: number }
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
    return [
      `PRAGMA page_size = ${pageSize};`,
      'BEGIN;',
      ...tables.filter((entry) => !isShadow(entry)).map(({ sql }) => `${sql};`),
      ...tables
        .filter((entry) => !virtual.includes(entry.name))
        .flatMap((entry) => rowsOf(entry.name, { replaces: isShadow(entry) })),
      ...counters,
      ...entries.filter((entry) => entry.type !== 'table').map(({ sql }) => `${sql};`),
      `PRAGMA user_version = ${version};`,
      'COMMIT;',
      '',
    ].join('\n')
  } finally {
    db.close()
  }
}

/**
 * Creates the database file from which `sqliteText` was made. SQLite's defensive mode is off, because shadow tables are
 * read-only in it.
 */
export const sqliteFromText = (file: string, sql: string): void => {
  const db = new DatabaseSync(file, { defensive: false })
  try {
    db.exec(sql)
  } finally {
    db.close()
  }
}
