import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { sqliteStore } from '@cairn/adapters/store/sqlite'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { EmbeddingSpace, VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import { eventually } from '@cairn/testing/eventually'
import { checkInvariants } from '@cairn/testing/invariants'
import type { LedgerEntry } from '@cairn/testing/ledger'

/** Reads one number from a SQLite file that a running server has open; never writes. */
const figure = (file: string, sql: string): number => {
  // A server that is just starting after a kill may hold the file while it recovers its log.
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    return Number(Object.values(database.prepare(sql).get() ?? {})[0])
  } finally {
    database.close()
  }
}

const leftToDo: Readonly<Record<string, string>> = {
  uploads: "SELECT count(*) FROM uploads WHERE state IN ('accepting', 'queued', 'running')",
  deletions: "SELECT count(*) FROM deletions WHERE state IN ('accepting', 'queued', 'running')",
  namespaces: "SELECT count(*) FROM namespaces WHERE state = 'deleting' OR openCount > 0",
  accounts: 'SELECT count(*) FROM accounts WHERE reservationCount > 0',
  items: "SELECT count(*) FROM items WHERE status = 'processing'",
}

/** Resolves when the server on this directory has no work left; rejects with the remaining work after `withinMs`. */
export const untilQuiet = (dataDir: string, withinMs: number): Promise<unknown> =>
  eventually(
    () =>
      Object.fromEntries(
        Object.entries(leftToDo).map(([what, sql]) => [what, figure(join(dataDir, 'metadata.db'), sql)]),
      ),
    (left) => Object.values(left).every((count) => count === 0),
    { withinMs, everyMs: 50 },
  )

/** Returns the findings of the database's own integrity check; empty if there are none. */
export const integrityFaults = (dataDir: string): string[] =>
  ['metadata.db', 'vectors.db'].flatMap((name) => {
    const database = new DatabaseSync(join(dataDir, name))
    try {
      const rows = database.prepare('PRAGMA integrity_check').all() as { readonly integrity_check: string }[]
      return rows
        .map((row) => row.integrity_check)
        .filter((said) => said !== 'ok')
        .map((said) => `${name}: ${said}`)
    } finally {
      database.close()
    }
  })

export type CheckOptions = {
  readonly entries: readonly LedgerEntry[]
  /**
   * Selects the items whose vector is searched for and must be the first result; texts of several passages are left
   * out. Default: all items.
   */
  readonly searched?: (id: string) => boolean
  /** Runs on the opened stores before the checks. */
  readonly before?: (stores: {
    readonly store: Store
    readonly vectors: VectorIndex
    readonly dataDir: string
  }) => Promise<void>
}

/** Returns every broken invariant in the stores of a server that has exited. */
export const brokenInvariants = async (
  dataDir: string,
  { entries, searched = () => true, before }: CheckOptions,
): Promise<string[]> => {
  const store = sqliteStore({ file: join(dataDir, 'metadata.db') })
  const vectors = sqliteVectorIndex({ file: join(dataDir, 'vectors.db') })
  const embedder = lexicalEmbedder()
  try {
    await before?.({ store, vectors, dataDir })
    const deleted = new DatabaseSync(join(dataDir, 'metadata.db'), { readOnly: true })
    const everSeen = deleted
      .prepare('SELECT document FROM deletions')
      .all()
      .map(
        (row) =>
          JSON.parse(String(row['document'])) as {
            readonly target: string
            readonly namespaceId: string
            readonly space: EmbeddingSpace
          },
      )
      .filter(({ target }) => target === 'namespace')
    deleted.close()
    const violations = await checkInvariants({
      store,
      vectors,
      ledger: { entries },
      embeddingSpaceOf,
      everSeen: everSeen.map(({ namespaceId, space }) => ({ id: namespaceId, space })),
      vectorsOf: async ({ id, body, indexed }) => {
        const { text, vector } = indexed?.body ?? body
        if (!searched(id)) return []
        if (vector) return [vector]
        return indexed?.passages === 1 ? embedder.embed([text], { kind: 'document' }) : []
      },
    })
    return [...violations.map(({ invariant, message }) => `${invariant}: ${message}`), ...integrityFaults(dataDir)]
  } finally {
    await vectors.close()
    await store.close()
  }
}
