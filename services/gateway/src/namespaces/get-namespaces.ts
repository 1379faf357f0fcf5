import { operations } from '@cairn/contracts/api/operations'
import { type LanguageCoverage, unreadScripts } from '@cairn/contracts/text/scripts'
import { shownCount } from '@cairn/domain/accounts/record'
import type { Namespace } from '@cairn/domain/namespaces/record'
import { modelName } from '@cairn/domain/ports/embedder'
import type { ResponseBody } from '@cairn/runtime/http/endpoint'
import { turns } from '@cairn/runtime/throttles/turns'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { iso } from '../iso.ts'

/** Longer lists take turns with other requests. */
const listedAtOnce = 100

type View = ResponseBody<typeof operations.getNamespace, 200>

const view = (
  { name, type, dimension, embedding, language, itemCount, createdAt }: Namespace,
  reads: LanguageCoverage | undefined,
): View => ({
  namespace_name: name,
  type,
  vector_dimension: dimension,
  model: embedding && modelName(embedding),
  language: type === 'text' ? language : null,
  ...(reads && { unread_scripts: unreadScripts(reads) }),
  item_count: shownCount(itemCount),
  created_at: iso(createdAt),
})

const createView =
  ({ embedders, coverageOf }: GatewayPorts) =>
  async (namespace: Namespace): Promise<View> => {
    const embedder = namespace.embedding ? embedders.of(namespace.embedding) : undefined
    return view(namespace, embedder && (await coverageOf(embedder)))
  }

export const getNamespace = (deps: GatewayPorts) =>
  accountEndpoint(operations.getNamespace, async (call) => ({
    status: 200,
    body: await createView(deps)(await call.readable.namespace(call.params.namespace_name)),
  }))

export const listNamespaces = (deps: GatewayPorts) =>
  accountEndpoint(operations.listNamespaces, async ({ readable, signal }) => {
    const namespaces = await readable.namespaces()
    if (namespaces.length > listedAtOnce) await turns.take(readable.accountId, signal)
    return { status: 200, body: { namespaces: await Promise.all(namespaces.map(createView(deps))) } }
  })
