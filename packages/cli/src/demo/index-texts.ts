import { type Cairn, CairnError, type Upload } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import type { Patience } from './patience.ts'
import type { Progress } from './progress.ts'
import type { DemoText } from './texts.ts'

// The API recommends 25 to 50. Small batches keep the progress bar moving; the byte limit is below that of requests.
const batchTexts = 25
const batchBytes = 4 * 1024 * 1024
/** Enough to keep the server busy. */
const openUploads = 8

export type Indexed = {
  readonly indexed: number
  /** Refused by the server, or not indexed. */
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

/** Uses an existing namespace, too: a second run replaces the documents of the first. */
const ensureNamespace = async (cairn: Cairn, namespace: string, signal: AbortSignal): Promise<void> => {
  try {
    await cairn.namespaces.create(namespace, { type: 'text' }, { signal })
  } catch (error) {
    if (!(error instanceof CairnError) || error.code !== 'conflict') throw error
    const namespaces = await cairn.namespaces.list({ signal })
    const existing = namespaces.find(({ namespace_name }) => namespace_name === namespace)
    // Being deleted, so not listed; the server's message says so.
    if (!existing) throw error
    if (existing.type !== 'text')
      throw new AppError(
        'conflict',
        `The namespace ${namespace} is a vector namespace: choose another one with --namespace`,
      )
  }
}

type Options = {
  readonly cairn: Cairn
  readonly namespace: string
  readonly texts: readonly DemoText[]
  readonly progress: Progress
  readonly patience: Patience
}

/** Resolves when all texts are searchable. */
export const indexTexts = async ({ cairn, namespace, texts, progress, patience }: Options): Promise<Indexed> => {
  await ensureNamespace(cairn, namespace, patience.signal)
  const failed: { readonly id: string; readonly why: string }[] = []
  const oneFailed = new AbortController()
  const signal = AbortSignal.any([patience.signal, oneFailed.signal])
  let settled = 0
  const settle = (count: number) => {
    settled += count
    progress.show(settled, texts.length)
  }

  /** Waits while any upload makes progress. */
  const waitFor = async (uploadId: string): Promise<Upload> => {
    for (;;) {
      const before = settled
      try {
        return await cairn.waitFor.upload(namespace, uploadId, { timeoutMs: patience.giveUpAfterMs, signal })
      } catch (error) {
        if (!(error instanceof CairnError) || error.code !== 'timeout') throw error
        if (settled > before) continue
        throw new AppError('unavailable', 'The server accepts documents but does not index them', { cause: error })
      }
    }
  }

  const index = async (batch: readonly DemoText[]) => {
    const documents = batch.map(({ id, name, text, source }) => ({ id, text, source, name }))
    const sent = await cairn.documents.upload(namespace, documents, { signal })
    for (const { id, message } of sent.failed) failed.push({ id, why: message })
    settle(batch.length - sent.accepted)
    // Refused with status 207, they are in the state of the upload, too.
    const refused = new Set(sent.failed.map(({ id }) => id))
    for (const uploadId of sent.uploads) {
      const accepted = (await waitFor(uploadId)).documents.filter(({ id }) => !refused.has(String(id)))
      for (const { id, outcome, message, reason } of accepted)
        if (outcome === 'failed') failed.push({ id, why: message ?? reason ?? 'failed' })
      settle(accepted.length)
    }
  }

  progress.show(0, texts.length)
  const queue = batches(texts)
  const work = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await index(next.value)
  }
  await Promise.all(Array.from({ length: openUploads }, work)).catch((error: unknown) => {
    oneFailed.abort()
    throw error
  })
  progress.end()
  return { indexed: texts.length - failed.length, failed, seconds: progress.seconds() }
}
