import type { CreateNamespace, Namespace } from '@cairn/client'

/** Input of the form; the model applies only to the type `text`, the dimension only to `vector`. */
export type NamespaceForm = {
  readonly name: string
  readonly type: Namespace['type']
  readonly model: string
  readonly dimension: string
}

export const namespaceBody = ({ name, type, model, dimension }: NamespaceForm): CreateNamespace => {
  const namespace_name = name.trim()
  if (type === 'vector') return { namespace_name, type, vector_dimension: Number(dimension) }
  return { namespace_name, type, ...(model.trim() ? { model: model.trim() } : {}) }
}

/** Returns the commands that create a first namespace from a terminal. */
export const firstRequests = (origin: string): string => {
  const json = `-H 'content-type: application/json' -d`
  return [
    `curl ${origin}/v1/namespaces -H "x-api-key: $KEY" \\`,
    `  ${json} '{"namespace_name":"notes","type":"text"}'`,
    `curl ${origin}/v1/namespaces/notes/documents -H "x-api-key: $KEY" \\`,
    `  ${json} '{"documents":[{"id":"1","text":"Cairns mark a path."}]}'`,
  ].join('\n')
}
