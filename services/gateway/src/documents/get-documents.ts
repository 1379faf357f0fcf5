import { parseExact } from '@cairn/contracts/exact-json'
import { getDocumentsBody } from '@cairn/contracts/http/documents'
import { parse } from '@cairn/runtime/parse'
import type { Call, Reply } from '../call.ts'
import { contentOf } from '../content.ts'
import type { GatewayPorts } from '../deps.ts'
import { findNamespace } from '../find-namespace.ts'

/** Reads the items themselves, not the index, so a document is there right after its 202. */
export const getDocuments =
  ({ metadata }: GatewayPorts) =>
  async (call: Call): Promise<Reply> => {
    const namespace = await findNamespace(metadata, call.account.id, call.params['namespace_name'] ?? '')
    const { ids } = parse(getDocumentsBody, call.body)
    const distinct = [...new Set(ids)]
    const byId = new Map((await contentOf(metadata, namespace.id, distinct)).map((one) => [one.id, one]))
    const items = distinct.flatMap((id) => byId.get(id) ?? [])
    const missing = distinct.filter((id) => !byId.has(id))
    const fields = {
      message: `${items.length} of ${distinct.length} items found`,
      namespace_name: namespace.name,
      requested_ids: ids.length,
      found_items: items.length,
    }
    const views = items.map(({ id, body }) => ({ id, text: body.text, metadata: parseExact(body.metadata) }))
    if (missing.length === 0) return { status: 200, body: { status: 'success', ...fields, items: views } }
    return { status: 207, body: { status: 'partial', ...fields, not_found_ids: missing, items: views } }
  }
