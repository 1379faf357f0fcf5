import createClient from 'openapi-fetch'
import type { paths } from './schema.js'

const { CAIRN_URL = '', CAIRN_API_KEY = '' } = process.env
const api = createClient<paths>({ baseUrl: CAIRN_URL, headers: { 'x-api-key': CAIRN_API_KEY } })
const check = <T,>({ data, error }: { data?: T; error?: unknown }): NonNullable<T> => {
  if (!data) throw new Error(JSON.stringify(error))
  return data
}
const path = { namespace_name: 'openapi-fetch' }
const created = check(await api.POST('/v1/namespaces', { body: { ...path, type: 'text' } }))
const type: 'text' | 'vector' = created.type
const document = { id: 'a', text: 'A cairn marks the path over the pass.', year: 2024 }
const uploaded = check(
  await api.POST('/v1/namespaces/{namespace_name}/documents', {
    params: { path },
    body: { documents: [document, { id: 2, text: 'Bread is baked from flour and water.' }] },
  }),
)
for (let state = ''; state !== 'completed'; ) {
  const params = { path: { ...path, upload_id: uploaded.upload_id } }
  state = check(await api.GET('/v1/namespaces/{namespace_name}/uploads/{upload_id}', { params })).state
}
const hits = check(
  await api.POST('/v1/search', {
    body: { query: 'path over the pass', namespaces: ['openapi-fetch'], filter: { key: 'year', gte: 2020 } },
  }),
)
const best: number | undefined = hits.results[0]?.score
if (hits.results.length !== 1 || hits.results[0]?.id !== 'a' || best === undefined)
  throw new Error(JSON.stringify(hits))
const removed = check(
  await api.POST('/v1/namespaces/{namespace_name}/documents/delete', { params: { path }, body: { ids: ['a', 2] } }),
)
if (removed.actual_deletions !== 2) throw new Error(JSON.stringify(removed))
const refused = await api.POST('/v1/search', { body: { query: 'path', namespaces: ['none'] } })
if (refused.error?.message === undefined) throw new Error('not refused')
console.log(`ok ${type}`)
