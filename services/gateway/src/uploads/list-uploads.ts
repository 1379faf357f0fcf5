import { foreignNextToken } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import type { Upload } from '@cairn/domain/items/record'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import type { Cursors } from '../documents/cursor.ts'
import { estimatedEndOf, rejectedOf, uploadFields } from './upload-view.ts'

/** For one page: with a filter for a rare state, it may end before it is full. */
const maxRead = 1_000
const readAtOnce = 100

/** Returns uploads, newest first. */
export const listUploads = (deps: GatewayPorts & { readonly cursors: Cursors }) =>
  accountEndpoint(operations.listUploads, async (call) => {
    const { store, cursors } = deps
    const namespace = await call.readable.namespace(call.params.namespace_name)
    const { state, limit, next_token: token } = call.query()
    const binding = { accountId: call.account.id, namespaceId: `${namespace.id} uploads` }
    let before = token === undefined ? undefined : cursors.open(token, binding)
    if (token !== undefined && before === undefined) throw foreignNextToken()
    const found: Upload[] = []
    let hasMore = true
    for (let read = 0; hasMore && read < maxRead && found.length < limit; read += readAtOnce) {
      const page = await store.uploads.newest(namespace.id, { before, limit: readAtOnce })
      const passing = page.filter((job) => state === undefined || job.state === state)
      const taken = passing.slice(0, limit - found.length)
      found.push(...taken)
      hasMore = page.length === readAtOnce || taken.length < passing.length
      before = taken.length < passing.length ? taken.at(-1)?.id : (page.at(-1)?.id ?? before)
    }
    const storeTime = await store.now()
    const ends = await Promise.all(found.map((job) => estimatedEndOf(deps, job, [])))
    return {
      status: 200,
      body: {
        uploads: found.map((job, index) => ({
          ...uploadFields(deps, job, job.outcomes, storeTime, ends[index]),
          namespace_name: namespace.name,
          documents: rejectedOf(job).length + Math.max(job.ids.length, job.outcomes.length),
          failed: rejectedOf(job).length + job.outcomes.filter(({ outcome }) => outcome === 'failed').length,
        })),
        pagination: {
          limit,
          has_more: hasMore,
          next_token: hasMore && before !== undefined ? cursors.seal(before, binding) : null,
        },
      },
    }
  })
