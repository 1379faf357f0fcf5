import type { DatabaseSync } from 'node:sqlite'
import { matches, withChange } from '@cairn/domain/items/documents'
import type { Key, Step } from '@cairn/domain/ports/store'
import { type Collection, collections } from '@cairn/domain/protocol/collections'
import type { sqliteSteps } from './sqlite-store.ts'

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
export const createGroup = (database: DatabaseSync, store: ReturnType<typeof sqliteSteps>) => {
  const [save, release] = ['SAVEPOINT method', 'RELEASE method'].map((sql) => database.prepare(sql))
  const entries = new Map<Collection, Map<string, Entry>>()
  /** They differ from their version in the table. */
  const touched = new Map<Collection, Set<Entry>>()
  /** Changed by the running method, with their previous versions. */
  const former = new Map<Entry, object | undefined>()
  const inserted: { readonly in: Collection; readonly name: string }[] = []
  /** Written since the running method's savepoint, with their previous versions in the table. */
  const written = new Map<Entry, object | undefined>()
  let isSaved = false

  const touch = (entry: Entry) => {
    const some = touched.get(entry.in)
    if (some) some.add(entry)
    else touched.set(entry.in, new Set([entry]))
  }
  const forgetInserted = () => {
    for (const { in: collection, name } of inserted) entries.get(collection)?.delete(name)
  }
  const entryOf = (name: Collection, key: Key): Entry => {
    let byKey = entries.get(name)
    if (!byKey) {
      byKey = new Map()
      entries.set(name, byKey)
    }
    const keyName = nameOf(key)
    const entry = byKey.get(keyName)
    if (entry) return entry
    const stored = store.read(name, key)
    const loaded: Entry = { in: name, key, stored, now: stored }
    byKey.set(keyName, loaded)
    return loaded
  }

  const set = (entry: Entry, document: object | undefined) => {
    if (!former.has(entry)) former.set(entry, entry.now)
    entry.now = document
    touch(entry)
  }

  const writeEntry = (entry: Entry) => {
    const { in: name, key, stored, now } = entry
    if (now === stored) return
    if (now === undefined) store.remove(name, key)
    else if (stored !== undefined) store.write(name, key, stored, now)
    else if (!store.insert(name, now)) throw new Error(`${name} has two documents of the key ${JSON.stringify(key)}`)
    entry.stored = now
  }

  const inTable = (step: Step & { readonly in: Collection }): unknown => {
    if (!isSaved) save?.run()
    isSaved = true
    // Changes to other tables wait for the commit, so that an account is written once, even if many methods search
    // events.
    for (const entry of touched.get(step.in) ?? []) {
      if (!written.has(entry)) written.set(entry, entry.stored)
      writeEntry(entry)
    }
    touched.delete(step.in)
    return store.execute(step)
  }

  const execute = (step: Step): unknown => {
    switch (step.op) {
      case 'now':
      case 'pause':
        return store.execute(step)
      case 'get':
        return step.keys.map((key) => entryOf(step.in, key).now)
      case 'insert':
        // Only the table can check other unique fields.
        if (collections[step.in].unique) {
          for (const document of step.documents) inserted.push({ in: step.in, name: nameOf(keyOf(step.in, document)) })
          forgetInserted()
          return inTable(step)
        }
        return step.documents.map((document) => {
          const entry = entryOf(step.in, keyOf(step.in, document))
          if (entry.now) return false
          set(entry, document)
          return true
        })
      case 'update':
        return step.updates.map(({ key, where, change }) => {
          const entry = entryOf(step.in, key)
          if (!entry.now || !matches(entry.now, where)) return undefined
          const next = withChange(entry.now, change)
          set(entry, next)
          return next
        })
      case 'remove':
        return step.removals.map(({ key, where }) => {
          const entry = entryOf(step.in, key)
          if (!entry.now || !matches(entry.now, where)) return false
          set(entry, undefined)
          return true
        })
      default:
        return inTable(step)
    }
  }

  const undo = () => {
    if (isSaved) database.exec('ROLLBACK TO method; RELEASE method')
    for (const [entry, document] of former) entry.now = document
    // The rollback also undid writes of earlier methods' changes.
    for (const [entry, stored] of written) {
      entry.stored = stored
      touch(entry)
    }
    forgetInserted()
  }

  return {
    /** All of a method's steps take effect, or none. */
    run: <T>(method: (execute: (step: Step) => unknown) => T): T => {
      former.clear()
      inserted.length = 0
      written.clear()
      isSaved = false
      try {
        const value = method(execute)
        if (isSaved) release?.run()
        return value
      } catch (error) {
        undo()
        throw error
      }
    },
    waiting: () => [...touched.values()].reduce((sum, { size }) => sum + size, 0),
    /** Call it right before the commit. */
    flush: () => {
      for (const some of touched.values()) for (const entry of some) writeEntry(entry)
    },
    /** Call it after the commit, or after it failed. */
    forget: () => {
      entries.clear()
      touched.clear()
    },
  }
}
