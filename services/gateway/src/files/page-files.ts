import { foreignNextToken } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { parseMetadata } from '@cairn/contracts/documents/metadata'
import { composedName } from '@cairn/contracts/files/file-rules'
import type { FileRecord } from '@cairn/domain/files/record'
import { noMetadata } from '@cairn/domain/files/register'
import type { ResponseBody } from '@cairn/runtime/http/endpoint'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import type { Cursors } from '../documents/cursor.ts'
import { iso } from '../iso.ts'
import { fileStateOf } from './file-status.ts'

type Listed = ResponseBody<typeof operations.pageFiles, 200>['files'][number]

const listed = (file: FileRecord): Listed => ({
  file_name: file.name,
  state: fileStateOf(file),
  reason: file.outcome?.state === 'failed' ? file.outcome.reason : null,
  size: file.object.sizeBytes,
  etag: file.object.etag,
  published_etag: file.live?.etag ?? null,
  last_modified: iso(file.object.modifiedAt),
  chunks: file.live?.chunks ?? 0,
  notes: file.notes.length,
  metadata: parseMetadata(file.metadata ?? noMetadata),
  created_at: iso(file.createdAt),
  updated_at: iso(file.updatedAt),
})

/** Returns files by name, without those only announced. */
export const pageFiles = (deps: GatewayPorts & { readonly cursors: Cursors }) =>
  accountEndpoint(operations.pageFiles, async (call) => {
    const { store, cursors } = deps
    const namespace = await call.readable.namespace(call.params.namespace_name)
    const { prefix: sent = '', limit, next_token: token } = call.query()
    const prefix = composedName(sent)
    const binding = { accountId: call.account.id, namespaceId: `${namespace.id} files ${prefix}` }
    const after = token === undefined ? undefined : cursors.open(token, binding)
    if (token !== undefined && after === undefined) throw foreignNextToken()
    const read = await store.files.page(namespace.id, { after: after ?? prefix, limit: limit + 1 })
    const first = after === undefined && prefix !== '' ? await store.files.byName(namespace.id, prefix) : undefined
    const found = [...(first ? [first] : []), ...read.filter(({ name }) => name.startsWith(prefix))]
    const page = found.slice(0, limit)
    const next = found.length > limit ? page.at(-1)?.name : undefined
    return {
      status: 200,
      body: {
        namespace_name: namespace.name,
        files: page.map(listed),
        pagination: {
          limit,
          has_more: next !== undefined,
          next_token: next === undefined ? null : cursors.seal(next, binding),
        },
      },
    }
  })
