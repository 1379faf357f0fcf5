// Uploads documents one by one, so that each is a separate job and message, and waits until all can be found:
//   CAIRN_API_KEY=… node infra/docker/try/share-work.mjs [address] [documents]
const [address = 'http://localhost:3000', documents = '120'] = process.argv.slice(2)
const namespace = `shared-${Date.now().toString(36)}`
const giveUpAfterMs = 120_000

const call = async (method, path, body) => {
  const answer = await fetch(`${address}/v1${path}`, {
    method,
    headers: { 'x-api-key': process.env.CAIRN_API_KEY ?? '', 'content-type': 'application/json' },
    signal: AbortSignal.timeout(30_000),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

const from = performance.now()
await call('POST', '/namespaces', { namespace_name: namespace, type: 'text' })
const upload = (_, n) =>
  call('POST', `/namespaces/${namespace}/documents`, {
    documents: [{ id: `${n}`, text: `Document ${n} of those that are shared out.` }],
  })
const uploads = await Promise.all(Array.from({ length: Number(documents) }, upload))
const acceptedMs = performance.now() - from

const isDone = async ({ upload_id: id }) => {
  const { state, reason } = await call('GET', `/namespaces/${namespace}/uploads/${id}`)
  if (state === 'failed') throw new Error(`upload ${id}: ${reason}`)
  return state === 'completed'
}
let open = uploads
while (open.length > 0) {
  if (performance.now() - from > giveUpAfterMs)
    throw new Error(`${open.length} uploads are not completed after ${giveUpAfterMs} ms`)
  const done = await Promise.all(open.map(isDone))
  open = open.filter((_, index) => !done[index])
}
const seconds = (ms) => (ms / 1_000).toFixed(1)
process.stdout.write(
  `${documents} uploads accepted in ${seconds(acceptedMs)} s, completed after ${seconds(performance.now() - from)} s\n`,
)
