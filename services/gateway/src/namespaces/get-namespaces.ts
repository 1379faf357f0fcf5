import { defaultLanguage } from '@cairn/contracts/languages'
import { operations } from '@cairn/contracts/operations'
import type { Namespace } from '@cairn/domain/metadata/records'
import { modelName } from '@cairn/domain/ports/embedder'
import type { ResponseBody } from '@cairn/runtime/endpoint'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { namespaceOf } from '../find-namespace.ts'
import { iso } from '../iso.ts'

const view = ({
  name,
  type,
  dimension,
  embedding,
  language = defaultLanguage,
  itemCount,
  createdAt,
}: Namespace): ResponseBody<typeof operations.getNamespace, 200> => ({
  namespace_name: name,
  type,
  vector_dimension: dimension,
  model: embedding && modelName(embedding),
  language: type === 'text' ? language : null,
  item_count: itemCount,
  created_at: iso(createdAt),
})

/** Addition to the published API: returns a namespace. */
export const getNamespace = ({ metadata }: GatewayPorts) =>
  accountEndpoint(operations.getNamespace, async (call) => ({
    status: 200,
    body: view(await namespaceOf(metadata, call)),
  }))

export const listNamespaces = ({ metadata }: GatewayPorts) =>
  accountEndpoint(operations.listNamespaces, async ({ account }) => ({
    status: 200,
    body: { namespaces: (await metadata.namespaces.ofAccount(account.id)).map(view) },
  }))
