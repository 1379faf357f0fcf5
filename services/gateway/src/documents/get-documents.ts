import { operations } from '@cairn/contracts/api/operations'
import { parseMetadata } from '@cairn/contracts/documents/metadata'
import { accountEndpoint } from '../call.ts'
import { contentOf } from '../content.ts'
import type { GatewayPorts } from '../deps.ts'

/** Reads the items, not the index: a document is returned right after its upload's 202. */
export const getDocuments = ({ store }: GatewayPorts) =>
  accountEndpoint(operations.getDocuments, async (call) => {
    const namespace = await call.readable.namespace(call.params.namespace_name)
    const { ids } = call.body()
    const distinct = [...new Set(ids)]
    const byId = new Map((await contentOf(store, namespace.id, distinct)).map((one) => [one.id, one]))
    const items = distinct.flatMap((id) => byId.get(id) ?? [])
    const missing = distinct.filter((id) => !byId.has(id))
    const fields = {
      message: `${items.length} of ${distinct.length} items found`,
      namespace_name: namespace.name,
      requested_ids: ids.length,
      found_items: items.length,
    }
    const views = items.map(({ id, body }) => ({ id, text: body.text, metadata: parseMetadata(body.metadata) }))
    if (missing.length === 0) return { status: 200, body: { status: 'success', ...fields, items: views } }
    return { status: 207, body: { status: 'partial', ...fields, not_found_ids: missing, items: views } }
  })
