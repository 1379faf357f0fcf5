import { setTimeout as delay } from 'node:timers/promises'
import { type Cairn, CairnError } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import type { Patience } from './patience.ts'
import type { Progress } from './progress.ts'
import type { DemoText } from './texts.ts'

// The API recommends 25 to 50 per batch. Small batches keep the progress bar moving; the byte limit keeps long texts
// below the request limit.
const batchTexts = 25
const batchBytes = 4 * 1024 * 1024
/** Concurrent uploads, enough to keep the server busy. */
const openUploads = 8

export type Indexed = {
  readonly indexed: number
  /** Documents that the server refused or could not index. */
  readonly failed: readonly { readonly id: string; readonly why: string }[]
  readonly seconds: number
}

function* batches(texts: readonly DemoText[]): Generator<readonly DemoText[]> {
  let batch: DemoText[] = []
  let bytes = 0
  for (const text of texts) {
    const size = Buffer.byteLength(text.text)
    if (batch.length === batchTexts || (batch.length > 0 && bytes + size > batchBytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(text)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

/** Creates the namespace or uses the existing one; a second run then replaces the documents of the first. */
const ensureNamespace = async (cairn: Cairn, namespace: string, signal: AbortSignal): Promise<void> => {
  try {
    await cairn.namespaces.create(namespace, { type: 'text' }, { signal })
  } catch (error) {
    if (!(error instanceof CairnError) || error.code !== 'conflict') throw error
    const namespaces = await cairn.namespaces.list({ signal })
    const existing = namespaces.find(({ namespace_name }) => namespace_name === namespace)
    // Not listed because it is being deleted; the server's message says so.
    if (!existing) throw error
    if (existing.type !== 'text')
      throw new AppError('conflict', `The namespace ${namespace} holds vectors: give another one with --namespace`)
  }
}

type Options = {
  readonly cairn: Cairn
  readonly namespace: string
  readonly texts: readonly DemoText[]
  readonly progress: Progress
  readonly patience: Patience
}

/** Uploads the texts in batches, waits until each is searchable and reports progress. */
export const indexTexts = async ({ cairn, namespace, texts, progress, patience }: Options): Promise<Indexed> => {
  const { signal } = patience
  await ensureNamespace(cairn, namespace, signal)
  const failed: { readonly id: string; readonly why: string }[] = []
  /** Number of settled documents by upload id. */
  const open = new Map<string, number>()
  let settled = 0
  let movedAt = performance.now()
  const report = () => progress.show(settled + [...open.values()].reduce((sum, count) => sum + count, 0), texts.length)

  const upload = async (batch: readonly DemoText[]) => {
    const documents = batch.map(({ id, name, text, source }) => ({ id, text, source, name }))
    const sent = await cairn.documents.upload(namespace, documents, { signal })
    for (const { id, message } of sent.failed) failed.push({ id, why: message })
    settled += batch.length - sent.accepted
    for (const uploadId of sent.uploads) open.set(uploadId, 0)
    movedAt = performance.now()
  }

  const poll = async (uploadId: string) => {
    const { documents, finished_at } = await cairn.uploads.get(namespace, uploadId, { signal })
    // Documents refused with status 207 are in the list too and were counted above.
    const refused = new Set(failed.map(({ id }) => id))
    const accepted = documents.filter(({ id }) => !refused.has(id))
    const done = accepted.filter(({ outcome }) => outcome !== 'pending')
    if (done.length !== open.get(uploadId)) movedAt = performance.now()
    open.set(uploadId, done.length)
    if (finished_at === null) return
    for (const { id, outcome, message, reason } of done)
      if (outcome === 'failed') failed.push({ id, why: message ?? reason ?? 'failed' })
    settled += accepted.length
    open.delete(uploadId)
  }

  const waitUntilFewerThan = async (count: number) => {
    for (;;) {
      for (const uploadId of [...open.keys()]) await poll(uploadId)
      report()
      if (open.size < count) return
      if (performance.now() - movedAt > patience.giveUpAfterMs)
        throw new AppError('unavailable', 'The server accepts documents but does not index them')
      await delay(patience.pollEveryMs, undefined, { signal })
    }
  }

  report()
  for (const batch of batches(texts)) {
    await upload(batch)
    await waitUntilFewerThan(openUploads)
  }
  await waitUntilFewerThan(1)
  progress.end()
  return { indexed: texts.length - failed.length, failed, seconds: progress.seconds() }
}
