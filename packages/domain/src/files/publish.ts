import { passedFile, settlePublished, withEntry } from '../accounts/entry.ts'
import type { Limit } from '../accounts/record.ts'
import { present } from '../items/item-marks.ts'
import type { Lease } from '../jobs/record.ts'
import type { Namespace } from '../namespaces/record.ts'
import { find, getOne, now, type Protocol, updateIf, type WhereOf } from '../protocol/steps.ts'
import { type FileRecord, publishedCount } from './record.ts'

/** `busy`: open requests might take ids of its chunks. `lost`: the lease is lost, or another version is current. */
export type PublishResult =
  | 'published'
  | 'lost'
  | 'busy'
  | 'namespaceGone'
  | 'idConflict'
  | { readonly overLimit: number }

/** Items per read. */
const slice = 500

/**
 * Operations that may have entered before the file existed, and so may still write items under ids of its chunks. The
 * tokens are kept from the first read: who enters later sees the file. Times can't decide, since the clocks of
 * processes differ.
 */
const underWay = ({ open }: Namespace, { waitsFor }: FileRecord, token: string, at: number): string[] =>
  Object.entries(open)
    .filter(([other, { overdueAt }]) => other !== token && overdueAt > at && (!waitsFor || waitsFor.includes(other)))
    .map(([other]) => other)

/** Whether an item is `<prefix><n>` with n below `numbers`, as the file's chunks or summaries are. */
function* isTaken(namespaceId: string, prefix: string, numbers: number): Protocol<boolean> {
  // Ids of the prefix and a number sort between these two bounds.
  for (let after = prefix; numbers > 0; ) {
    const some = yield* find(
      'publish: look for items',
      'items',
      { namespaceId, id: { gt: after, lt: `${prefix}:` }, ...present },
      ['id'],
      slice,
      ['id'],
    )
    const taken = some.some(({ id }) => {
      const digits = id.slice(prefix.length)
      return /^(0|[1-9]\d*)$/.test(digits) && Number(digits) < numbers
    })
    if (taken) return true
    const last = some.at(-1)
    if (some.length < slice || !last) return false
    after = last.id
  }
  return false
}

type Publication = {
  readonly version: string
  readonly chunks: number
  readonly summaries: number
  readonly extraction: number
  readonly limit: Limit
}

function* moveLive(
  file: FileRecord,
  {
    token,
    version,
    chunks,
    summaries,
    extraction,
    added,
    at,
  }: { readonly token: string; readonly added: number; readonly at: number } & Omit<Publication, 'limit'>,
): Protocol<PublishResult> {
  const { namespaceId, idBase } = file
  const namespace = yield* getOne('publish: read open requests', 'namespaces', namespaceId)
  const waitsFor = namespace ? underWay(namespace, file, token, at) : []
  if (waitsFor.length > 0) {
    const own: WhereOf<'files'> = { version, 'lease.token': token }
    const noted = yield* updateIf('publish: wait for requests', 'files', [file.id], own, { set: { waitsFor } })
    return noted ? 'busy' : 'lost'
  }
  if (yield* isTaken(namespaceId, `${idBase}_chunk_`, chunks)) return 'idConflict'
  if (yield* isTaken(namespaceId, `${idBase}_summary_`, summaries)) return 'idConflict'
  const moved = yield* updateIf(
    'publish: move live',
    'files',
    [file.id],
    { version, 'lease.token': token, 'live.version': file.live?.version ?? null, outcome: null, claimedBy: null },
    {
      set: {
        live: { version, chunks, summaries, etag: file.object.etag, extraction },
        settling: { token, changed: added },
        outcome: { state: 'completed' },
        stage: 'cleaning',
      },
      ...(file.live ? { push: { stale: [file.live.version] } } : {}),
    },
  )
  return moved ? 'published' : 'lost'
}

/**
 * Publishes all chunks and summaries of `version` at once, or nothing; those published before become stale. They count
 * in the account's documents, within `limit`. Numbers run from 0 under `<idBase>_chunk_` and `<idBase>_summary_`; an
 * existing item with such an id is `idConflict`.
 */
export function* publish(lease: Lease, { limit, ...publication }: Publication): Protocol<PublishResult> {
  const { version, chunks, summaries } = publication
  const at = yield* now()
  const file = yield* getOne('publish: read file', 'files', lease.jobId)
  if (file?.lease?.token !== lease.token || file.version !== version) return 'lost'
  if (file.live?.version === version) return 'published'
  const { accountId, namespaceId } = file
  const { token } = lease
  const added = chunks + summaries - publishedCount(file)
  const reserved = Math.max(0, added)
  const opened = { by: 'file', fileId: file.id } as const
  const entry = { accountId, namespaceId, token, what: 'documents', amount: reserved, limit, ...opened } as const
  yield* settlePublished(file)
  const entered = yield* withEntry('publish', at, entry, function* (pass) {
    const result = yield* moveLive(file, { ...publication, token, added, at })
    const changed = result === 'published' ? added : 0
    return { result, reserved, changed, passed: passedFile(pass, file.name, changed) }
  })
  if (entered.outcome === 'overLimit') return { overLimit: entered.current }
  return entered.outcome === 'left' ? entered.result : entered.outcome
}
