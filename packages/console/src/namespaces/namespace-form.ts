import type { CreateNamespace, Namespace } from '@cairn/client'

/** `model` (empty: the server's default) and `language` apply only to texts, `dimension` only to vectors. */
export type NamespaceForm = {
  readonly name: string
  readonly type: Namespace['type']
  readonly model: string
  readonly language: string
  readonly dimension: string
}

export const namespaceBody = ({ name, type, model, language, dimension }: NamespaceForm): CreateNamespace => {
  const namespace_name = name.trim()
  if (type === 'vector') return { namespace_name, type, vector_dimension: Number(dimension) }
  return { namespace_name, type, language: language as Namespace['language'] & string, ...(model ? { model } : {}) }
}
