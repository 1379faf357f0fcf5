import { eventually } from '@cairn/testing/eventually'
import { expect, it } from 'vitest'
import { tracedSystem } from './traced-system.fixture.ts'

const caller = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', tracestate: 'vendor=1' }
const documents = [
  {
    id: 'secret-cairn',
    text: 'Cairns are piles of stones that mark a hidden path.',
    source: 'handbook',
    colour: 'grey',
  },
]
const slow = { timeout: 30_000 }

it('has one trace from the 202 to what is found, with the message in it', slow, async () => {
  const { call, uploaded, end, one, named, chain, spans, lines } = await tracedSystem()
  await call('POST', 'namespaces', { namespace_name: 'notes', type: 'text' })
  const uploadId = await uploaded('notes', documents, caller)
  await end()

  const job = one('job ingestion')
  const root = 'POST /v1/namespaces/{namespace_name}/documents'
  // A sweep may have found the job before its message arrived, so only the ends of the chain are certain.
  expect([chain(job)[0], chain(job).at(-1)]).toEqual(['job ingestion', root])
  const message = one('process cairn.uploads')
  expect(chain(message)).toEqual(['process cairn.uploads', 'send cairn.uploads', root])
  expect(job.attributes).toMatchObject({
    'cairn.service': 'ingestion',
    'cairn.job.id': uploadId,
    'cairn.job.outcome': 'done',
    'cairn.job.retries': 0,
  })
  for (const step of ['read', 'cut', 'embed', 'index', 'mark', 'settle', 'complete'])
    expect(named(step).map((span) => chain(span)[1])).toContain('job ingestion')
  expect(chain(one('upsert points')).slice(0, 3)).toEqual(['upsert points', 'index', 'job ingestion'])
  expect(chain(one('accept metadata'))).toEqual(['accept metadata', 'POST /v1/namespaces/{namespace_name}/documents'])
  expect(chain(one('embeddings hashed-words-1')).slice(0, 2)).toEqual(['embeddings hashed-words-1', 'embed'])

  const call202 = one('POST /v1/namespaces/{namespace_name}/documents')
  expect(call202.parentSpanContext?.spanId).toBe('00f067aa0ba902b7')
  expect(call202.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/v1/namespaces/{namespace_name}/documents',
    'http.response.status_code': 202,
    'cairn.operation': 'uploadDocuments',
  })
  const ofUpload = spans.filter((span) => span.spanContext().traceId === '4bf92f3577b34da6a3ce929d0e0e4736')
  expect(ofUpload.map((span) => span.name)).toEqual(
    expect.arrayContaining(['job ingestion', 'complete uploads', 'markIndexed items']),
  )
  expect(message.spanContext().traceState?.get('vendor')).toBe('1')

  const jobLine = lines.map((line) => JSON.parse(line)).find(({ msg, job }) => msg === 'job' && job === uploadId)
  expect(jobLine).toMatchObject({ trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: job.spanContext().spanId })
  const answered = lines.map((line) => JSON.parse(line)).find(({ msg, status }) => msg === 'answered' && status === 202)
  expect(answered).toMatchObject({ span_id: call202.spanContext().spanId })
})

it('has the same trace when no message came and the sweep finds the job', slow, async () => {
  const { call, uploaded, end, one, chain } = await tracedSystem((bus) => ({ ...bus, publish: async () => undefined }))
  await call('POST', 'namespaces', { namespace_name: 'notes', type: 'text' })
  await uploaded('notes', documents, caller)
  await end()
  const job = one('job ingestion')
  expect(chain(job)).toEqual(['job ingestion', 'POST /v1/namespaces/{namespace_name}/documents'])
  expect(job.spanContext().traceId).toBe('4bf92f3577b34da6a3ce929d0e0e4736')
})

it('has one trace of a file from its upload to its chunks, and one of each deletion', slow, async () => {
  const { call, end, one, chain, spans } = await tracedSystem()
  await call('POST', 'namespaces', { namespace_name: 'notes', type: 'text' })
  const form = new FormData()
  form.append('file', new Blob(['A path over the pass is marked by piles of stones. '.repeat(200)]), 'secret-guide.txt')
  const { status } = await call('POST', 'namespaces/notes/upload-file', form)
  expect(status).toBe(200)
  const state = async () => (await call('GET', 'namespaces/notes/files/secret-guide.txt/status')).body['state']
  await eventually(state, (now) => now === 'completed', { withinMs: 20_000, everyMs: 50 })
  await call('DELETE', 'namespaces/notes')
  await eventually(
    () => spans.filter(({ name }) => name === 'job deletion').length,
    (count) => count > 0,
    { withinMs: 10_000 },
  )
  await end()
  const root = 'POST /v1/namespaces/{namespace_name}/upload-file'
  // The file's job is released while its chunks are being indexed; ingestion's message wakes it.
  const jobs = spans.filter(({ name }) => name === 'job file-pipeline')
  expect(jobs.length).toBeGreaterThan(1)
  for (const job of jobs) expect(chain(job).at(-1)).toBe(root)
  const told = spans.filter(({ name }) => name === 'process cairn.files').map((span) => chain(span).join(' < '))
  expect(told).toContain(`process cairn.files < send cairn.files < ${root}`)
  expect(told).toContainEqual(expect.stringContaining('process cairn.files < send cairn.files < job ingestion'))
  expect(jobs[0]?.attributes).toMatchObject({ 'cairn.file.type': 'txt', 'cairn.reader.ms': expect.any(Number) })
  const ingestion = spans.filter(({ name }) => name === 'job ingestion')
  expect(ingestion.length).toBeGreaterThan(0)
  for (const job of ingestion) expect(chain(job).slice(-2)).toEqual([chain(job).at(-2), root])
  expect(chain(one('submit')).slice(0, 3)).toEqual(['submit', 'extract', 'job file-pipeline'])
  const traceOf = (name: string) => spans.find((span) => span.name === name)?.spanContext().traceId
  expect(traceOf('job deletion')).toBe(traceOf('DELETE /v1/namespaces/{namespace_name}'))
  expect(traceOf('job deletion')).not.toBe(traceOf(root))
})

/** Matches text that no span may contain: keys, names or ids chosen by clients, texts, queries. */
const private_ = /cairn_|secret|notes|handbook|grey|stones|path over|acc_first|hidden/i

it('tells nothing of what users wrote, whatever is called and however it ends', slow, async () => {
  const { call, uploaded, url, apiKey, end, spans } = await tracedSystem()
  await call('POST', 'namespaces', { namespace_name: 'secret-notes', type: 'text' })
  await call('POST', 'namespaces', { namespace_name: 'secret-notes', type: 'text' })
  await uploaded('secret-notes', documents)
  await call('POST', 'search', { query: 'hidden stones', namespaces: ['secret-notes'], top_k: 3 })
  await call('POST', 'search', { query: 'hidden stones', namespaces: ['secret-absent'] })
  await call('POST', 'answer', { query: 'Where are stones hidden?', namespace: 'secret-notes', top_k: 3 })
  await call('POST', 'namespaces/secret-notes/documents/get', { ids: ['secret-cairn'] })
  await call('POST', 'namespaces/secret-notes/documents/delete', { ids: ['secret-cairn'] })
  await call('POST', 'namespaces/secret-notes/documents', { documents: [{ id: 'secret', text: 7 }] })
  await call('GET', 'namespaces/secret-notes/files/secret.txt/status')
  await fetch(`${url()}/v1/namespaces?key=${apiKey}`, {
    headers: { 'x-api-key': `${apiKey}x`, 'x-request-id': apiKey },
  })
  await end()
  expect(spans.length).toBeGreaterThan(30)
  const told = spans.flatMap(({ name, attributes, status, events }) => [
    name,
    status.message ?? '',
    ...events.map((event) => JSON.stringify(event)),
    ...Object.entries(attributes).map(([key, value]) => `${key}=${value}`),
  ])
  expect(
    told.filter((text) => private_.test(text.replace(/^cairn\.|cairn\.(uploads|namespaces|deletions|files)/g, ''))),
  ).toEqual([])
})
