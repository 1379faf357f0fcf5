// Uploads 100 files into the namespace `moved` and waits until they can be found, or compares the originals with what was uploaded:
//   CAIRN_API_KEY=… node infra/docker/try/files.mjs put|compare [address]
const [task, address = 'http://localhost:3000'] = process.argv.slice(2)
const namespace = `${address}/v1/namespaces/moved`
const headers = { 'x-api-key': process.env.CAIRN_API_KEY ?? '' }
const giveUpAfterMs = 120_000
const texts = new Map(
  Array.from({ length: 100 }, (_, n) => [`try-${n}.txt`, `File ${n} was kept by the former server.\n`.repeat(n + 1)]),
)

const call = async (url, options) => {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(30_000), ...options })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return answer
}

const put = async () => {
  await call(`${address}/v1/namespaces`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ namespace_name: 'moved', type: 'text' }),
  })
  for (const [name, text] of texts) {
    const body = new FormData()
    body.append('file', new Blob([text], { type: 'text/plain' }), name)
    await call(`${namespace}/upload-file`, { method: 'POST', body })
  }
  const from = performance.now()
  let open = [...texts.keys()]
  while (open.length > 0) {
    if (performance.now() - from > giveUpAfterMs)
      throw new Error(`${open.length} files are not read after ${giveUpAfterMs} ms`)
    const states = await Promise.all(open.map(async (name) => (await call(`${namespace}/files/${name}/status`)).json()))
    const failed = states.find(({ state }) => state === 'failed')
    if (failed) throw new Error(JSON.stringify(failed))
    open = open.filter((_, index) => states[index].state !== 'completed')
  }
}

const compare = async () => {
  for (const [name, text] of texts)
    if ((await (await call(`${namespace}/files/${name}/content`)).text()) !== text) throw new Error(`${name} differs`)
}

await { put, compare }[task]()
process.stdout.write(`${texts.size} files: ${task} is done\n`)
