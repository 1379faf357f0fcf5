import { defaultLanguage } from '@cairn/contracts/languages'
import type { operations } from '@cairn/contracts/operations'
import type { Namespace } from '@cairn/domain/metadata/records'
import { modelName } from '@cairn/domain/ports/embedder'
import type { ResponseBody } from '@cairn/runtime/endpoint'
import { iso } from '../iso.ts'

export const namespaceView = ({
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
