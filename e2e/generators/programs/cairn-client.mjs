import { Cairn, CairnError } from '@cairn/client'

const env = globalThis.Deno ? globalThis.Deno.env.toObject() : globalThis.process.env
const name = `client-${globalThis.process?.argv?.[2] ?? globalThis.Deno?.args[0]}`
const cairn = new Cairn({ url: env.CAIRN_URL, apiKey: env.CAIRN_API_KEY })
const check = (what, isSo) => {
  if (!isSo) throw new Error(`${what}: not so`)
}

await cairn.namespaces.create(name)
async function* documents() {
  for (let id = 0; id < 120; id += 1) yield { id, text: `Cairn number ${id} marks the path over the pass.` }
}
const seen = []
const following = (async () => {
  for await (const event of cairn.events({ namespace: name, after: '0' })) {
    seen.push(event.type)
    if (event.type === 'file.searchable') return
  }
})()
const uploaded = await cairn.documents.upload(name, documents(), { wait: true })
check('120 documents are accepted', uploaded.accepted === 120 && uploaded.failed.length === 0)
const { results } = await cairn.search({ query: 'cairn number 7', namespaces: [name], top_k: 3 })
check('three hits', results.length === 3)
let pages = 0
for await (const page of cairn.documents.pages(name, { limit: 50 })) pages += page.items.length > 0 ? 1 : 0
check('three pages', pages === 3)
const content = new Blob(['Rivers are crossed by bridges and by fords.'], { type: 'text/plain' })
await cairn.files.upload(name, content, { name: 'rivers.txt' })
const file = await cairn.waitFor.file(name, 'rivers.txt')
check('the file is completed', file.state === 'completed')
await following
check('its events came', seen.filter((type) => type === 'document.searchable').length === 120)
let answer = ''
for await (const event of cairn.answerStream({ query: 'What crosses rivers?', namespace: name }))
  if (event.event === 'token') answer += event.delta
check('the answer names bridges', answer.includes('bridges'))
const refused = await cairn.search({ query: 'x', namespaces: ['none'] }).catch((error) => error)
check('a typed error', refused instanceof CairnError && refused.code === 'not_found')
const stopped = new AbortController()
stopped.abort(new Error('stopped'))
const aborted = await cairn.namespaces.list({ signal: stopped.signal }).catch((error) => error)
check('an aborted call', aborted.message === 'stopped')
const { deletion_id } = await cairn.namespaces.delete(name)
await cairn.waitFor.deletion(deletion_id)
console.log('ok')
