import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { matches, withChange } from '@cairn/domain/items/documents'
import type { Key, Step } from '@cairn/domain/ports/store'
import { type Collection, collections } from '@cairn/domain/protocol/collections'
import type { SqliteSteps } from './sqlite-store.ts'

/** A document in the table and in the transaction. Neither object is changed in place. */
type Entry = { readonly in: Collection; readonly key: Key; stored: object | undefined; now: object | undefined }

const nameOf = (key: Key): string => {
  if (key.length === 1) return key[0] as string
  let name = ''
  for (const part of key) name += `${part.length}:${part}`
  return name
}

const keyOf = (name: Collection, document: object): Key =>
  collections[name].key.map((field) => String((document as Readonly<Record<string, unknown>>)[field]))

/**
 * Runs the methods of one commit in memory. Each document is read once and written once, even if many methods change it
 * (the account and the namespace of every upload). The changes of a failed method are undone. A step that searches a
 * table first writes the pending documents of that table; from then on, a savepoint undoes the method.
 */
export class WriteGroup {
  readonly #database: DatabaseSync
  readonly #store: SqliteSteps
  readonly #save: StatementSync
  readonly #release: StatementSync
  readonly #entries = new Map<Collection, Map<string, Entry>>()
  /** They differ from their version in the table. */
  readonly #touched = new Map<Collection, Set<Entry>>()
  /** Changed by the running method, with their previous versions. */
  readonly #former = new Map<Entry, object | undefined>()
  #inserted: { readonly in: Collection; readonly name: string }[] = []
  /** Written since the running method's savepoint, with their previous versions in the table. */
  readonly #written = new Map<Entry, object | undefined>()
  #isSaved = false

  constructor(database: DatabaseSync, store: SqliteSteps) {
    this.#database = database
    this.#store = store
    this.#save = database.prepare('SAVEPOINT method')
    this.#release = database.prepare('RELEASE method')
  }

  /** All of a method's steps take effect, or none. */
  run<T>(method: (execute: (step: Step) => unknown) => T): T {
    this.#former.clear()
    this.#inserted = []
    this.#written.clear()
    this.#isSaved = false
    try {
      const value = method((step) => this.#execute(step))
      if (this.#isSaved) this.#release.run()
      return value
    } catch (error) {
      this.#undo()
      throw error
    }
  }

  waiting(): number {
    return [...this.#touched.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** Call it right before the commit. */
  flush(): void {
    for (const some of this.#touched.values()) for (const entry of some) this.#writeEntry(entry)
  }

  /** Call it after the commit, or after it failed. */
  forget(): void {
    this.#entries.clear()
    this.#touched.clear()
  }

  #touch(entry: Entry) {
    const some = this.#touched.get(entry.in)
    if (some) some.add(entry)
    else this.#touched.set(entry.in, new Set([entry]))
  }

  #forgetInserted() {
    for (const { in: collection, name } of this.#inserted) this.#entries.get(collection)?.delete(name)
  }

  #entryOf(name: Collection, key: Key): Entry {
    let byKey = this.#entries.get(name)
    if (!byKey) {
      byKey = new Map()
      this.#entries.set(name, byKey)
    }
    const keyName = nameOf(key)
    const entry = byKey.get(keyName)
    if (entry) return entry
    const stored = this.#store.read(name, key)
    const loaded: Entry = { in: name, key, stored, now: stored }
    byKey.set(keyName, loaded)
    return loaded
  }

  #set(entry: Entry, document: object | undefined) {
    if (!this.#former.has(entry)) this.#former.set(entry, entry.now)
    entry.now = document
    this.#touch(entry)
  }

  #writeEntry(entry: Entry) {
    const { in: name, key, stored, now } = entry
    if (now === stored) return
    if (now === undefined) this.#store.remove(name, key)
    else if (stored !== undefined) this.#store.write(name, key, stored, now)
    else if (!this.#store.insert(name, now))
      throw new Error(`${name} has two documents of the key ${JSON.stringify(key)}`)
    entry.stored = now
  }

  #inTable(step: Step & { readonly in: Collection }): unknown {
    if (!this.#isSaved) this.#save.run()
    this.#isSaved = true
    // Changes to other tables wait for the commit, so that an account is written once, even if many methods search
    // events.
    for (const entry of this.#touched.get(step.in) ?? []) {
      if (!this.#written.has(entry)) this.#written.set(entry, entry.stored)
      this.#writeEntry(entry)
    }
    this.#touched.delete(step.in)
    return this.#store.execute(step)
  }

  #execute(step: Step): unknown {
    switch (step.op) {
      case 'now':
      case 'pause':
        return this.#store.execute(step)
      case 'get':
        return step.keys.map((key) => this.#entryOf(step.in, key).now)
      case 'insert':
        // Only the table can check other unique fields.
        if (collections[step.in].unique) {
          for (const document of step.documents)
            this.#inserted.push({ in: step.in, name: nameOf(keyOf(step.in, document)) })
          this.#forgetInserted()
          return this.#inTable(step)
        }
        return step.documents.map((document) => {
          const entry = this.#entryOf(step.in, keyOf(step.in, document))
          if (entry.now) return false
          this.#set(entry, document)
          return true
        })
      case 'update':
        return step.updates.map(({ key, where, change }) => {
          const entry = this.#entryOf(step.in, key)
          if (!entry.now || !matches(entry.now, where)) return undefined
          const next = withChange(entry.now, change)
          this.#set(entry, next)
          return next
        })
      case 'remove':
        return step.removals.map(({ key, where }) => {
          const entry = this.#entryOf(step.in, key)
          if (!entry.now || !matches(entry.now, where)) return false
          this.#set(entry, undefined)
          return true
        })
      default:
        return this.#inTable(step)
    }
  }

  #undo() {
    if (this.#isSaved) this.#database.exec('ROLLBACK TO method; RELEASE method')
    for (const [entry, document] of this.#former) entry.now = document
    // The rollback also undid writes of earlier methods' changes.
    for (const [entry, stored] of this.#written) {
      entry.stored = stored
      this.#touch(entry)
    }
    this.#forgetInserted()
  }
}
