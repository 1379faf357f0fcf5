import { setTimeout as pause } from 'node:timers/promises'
import { objectKey } from '@cairn/domain/files/object-keys'
import type { FileRecord } from '@cairn/domain/files/record'
import type { Account } from '../load.ts'
import type { Stores } from '../open-stores.ts'
import type { System } from '../system.ts'
import { type FileClient, fileClient } from './file-client.ts'
import { type Brought, bring, type Content, type PlannedFile } from './file-plan.ts'

const lookEveryMs = 250

/** An account's namespace with files. */
export type FilePlace = {
  readonly client: FileClient
  readonly namespaceId: string
  readonly keyOf: (name: string) => string
}

/** Opens an account's namespace through the gateway with this number. */
export const openFilePlace = async (
  { cluster }: Pick<System, 'cluster'>,
  { store, files }: Stores,
  account: Account,
  namespace: string,
  number = 0,
): Promise<FilePlace> => {
  const { accountId } = account
  const gateways = cluster.of('gateway')
  const record = await store.namespaces.byName(accountId, namespace)
  if (!record) throw new Error(`${accountId} has no namespace ${namespace}`)
  const client = fileClient(`http://127.0.0.1:${gateways[number % gateways.length]?.port()}`, account, namespace)
  return { client, namespaceId: record.id, keyOf: (name) => objectKey(files, record, name) }
}

/** Final state of a planned file, according to the API's responses. */
export type Fate = {
  readonly file: PlannedFile
  readonly place: FilePlace
  /** The latest stored content; undefined if it was deleted. */
  readonly last: { readonly content: Content; readonly brought: Brought; readonly at: number } | undefined
  /** Number of distinct contents that the store accepted. */
  readonly contents: number
  /** Number of uploads of bytes that had been stored before. */
  readonly repeats: number
}

/** Uploads a file, then performs the planned operation on it. */
const live = async (file: PlannedFile, place: FilePlace): Promise<Fate> => {
  const { name, type, way, content, ending, later, pauseMs } = file
  const { client } = place
  const once = async (content: Content) => {
    const brought = await bring(type, content)
    await (way === 'form' ? client.send : client.put)(name, brought.bytes)
    return { content, brought, at: performance.now() }
  }
  const first = await once(content)
  if (ending === 'nothing') return { file, place, last: first, contents: 1, repeats: 0 }
  await pause(pauseMs)
  if (ending === 'same bytes') return { file, place, last: await once(content), contents: 1, repeats: 1 }
  if (ending === 'other bytes') return { file, place, last: await once(later), contents: 2, repeats: 0 }
  const said = await client.remove(name)
  if (said !== 'deleted') throw new Error(`deletion of ${name}: ${said}`)
  if (ending === 'deleted') return { file, place, last: undefined, contents: 1, repeats: 0 }
  await pause(pauseMs / 4)
  return { file, place, last: await once(later), contents: 2, repeats: 0 }
}

/** Runs the plan, with starts spread over `ms` and at most `atOnce` files in progress. */
export const runFileLoad = async (options: {
  readonly plan: readonly PlannedFile[]
  readonly places: readonly FilePlace[]
  readonly atOnce: number
  readonly ms: number
}): Promise<Fate[]> => {
  const { plan, places, atOnce, ms } = options
  const startedAt = performance.now()
  const fates: Fate[] = []
  const waiting = plan.map((file, index) => ({ file, at: (ms * index) / plan.length }))
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const place = places[next.file.account]
      if (!place) throw new Error('a file of no account')
      await pause(Math.max(0, startedAt + next.at - performance.now()))
      fates.push(await live(next.file, place))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return fates
}

/** Returns why a file has not been read yet, or undefined if it has been read. */
const notYet = (record: FileRecord | undefined, etag: string): string | undefined => {
  if (!record) return 'it was not noticed'
  if (record.object.etag !== etag) return 'its last content was not noticed'
  if (record.state === 'completed' || record.state === 'failed') return undefined
  return `${record.state} (${record.stage})${record.lastError === null ? '' : `: ${record.lastError}`}`
}

/**
 * Waits up to `withinMs` until every file is final, and returns a fault for each that is not. Calls `onRead` for each
 * final file.
 */
export const untilRead = async (
  { store, files }: Stores,
  wanted: readonly { readonly place: FilePlace; readonly name: string }[],
  withinMs: number,
  onRead: (name: string) => void = () => undefined,
): Promise<readonly string[]> => {
  const until = performance.now() + withinMs
  const waiting = new Set(wanted)
  for (;;) {
    const why: string[] = []
    for (const one of waiting) {
      const { place, name } = one
      const object = await files.head(place.keyOf(name))
      const reason = object
        ? notYet(await store.files.byName(place.namespaceId, name), object.etag)
        : 'its object is gone'
      if (reason === undefined) {
        waiting.delete(one)
        onRead(name)
      } else why.push(`I8: ${name} has no outcome after ${Math.round(withinMs / 1_000)} s: ${reason}`)
    }
    if (waiting.size === 0 || performance.now() > until) return why
    await pause(lookEveryMs)
  }
}
