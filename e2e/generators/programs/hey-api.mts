import { client } from './hey/client.gen.js'
import { createNamespace, deleteDocuments, getUpload, search, uploadDocuments } from './hey/index.js'

const { CAIRN_URL = '', CAIRN_API_KEY = '' } = process.env
client.setConfig({ baseUrl: CAIRN_URL, auth: CAIRN_API_KEY })
const path = { namespace_name: 'hey-api' }
const created = await createNamespace({ body: { ...path, type: 'text' }, throwOnError: true })
const type: 'text' | 'vector' = created.data.type
const document = { id: 'a', text: 'A cairn marks the path over the pass.', year: 2024 }
const uploaded = await uploadDocuments({
  path,
  body: { documents: [document, { id: 2, text: 'Bread is baked from flour and water.' }] },
  throwOnError: true,
})
for (let state = ''; state !== 'completed'; ) {
  const { data } = await getUpload({ path: { ...path, upload_id: uploaded.data.upload_id }, throwOnError: true })
  state = data.state
}
const { data: hits } = await search({
  body: { query: 'path over the pass', namespaces: ['hey-api'], filter: { key: 'year', gte: 2020 } },
  throwOnError: true,
})
if (hits.results.length !== 1 || hits.results[0]?.id !== 'a') throw new Error(JSON.stringify(hits))
const { data: removed } = await deleteDocuments({ path, body: { ids: ['a', 2] }, throwOnError: true })
if (removed.actual_deletions !== 2) throw new Error(JSON.stringify(removed))
const { error } = await search({ body: { query: 'path', namespaces: ['none'] } })
if (error?.message === undefined) throw new Error('not refused')
console.log(`ok ${type}`)
