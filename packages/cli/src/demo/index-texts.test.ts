import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Cairn } from '@cairn/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { indexTexts } from './index-texts.ts'
import { createProgress } from './progress.ts'
import { rankOf, searchTexts } from './search-texts.ts'

type Answer = { readonly status: number; readonly body: unknown; readonly retryAfter?: string }
type Sent = { readonly method: string; readonly path: string; readonly body: { documents?: { id: string }[] } }

/** Serves requests; `answer` creates each response. */
const serve = async (answer: (sent: Sent) => Answer) => {
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).map(String).join('')
    const { status, body, retryAfter } = answer({
      method: request.method ?? '',
      path: request.url ?? '',
      body: text === '' ? {} : JSON.parse(text),
    })
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return new Cairn({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

const at = '2026-03-01T12:00:00.000Z'
const failure = (status: number, message: string): Answer => ({
  status,
  body: { status: 'failure', message, error: 'x', request_id: 'r' },
})
const created: Answer = {
  status: 201,
  body: { status: 'success', message: 'm', namespace_name: 'demo', type: 'text', vector_dimension: null },
}
const accepted = (id: string, sent: Sent, refused: readonly string[] = []): Answer => {
  const ids = (sent.body.documents ?? [])
    .map((document) => document.id)
    .filter((document) => !refused.includes(document))
  const fields = {
    message: 'm',
    upload_id: id,
    namespace_name: 'demo',
    documents_processed: ids.length,
    uploaded_documents: ids.map((document) => ({ id: document, status: 'processing', character_count: 20 })),
    submitted_ids: ids,
    processing_status: 'in_progress',
    estimated_completion: at,
  }
  if (refused.length === 0) return { status: 202, body: { status: 'success', ...fields } }
  const failed = refused.map((document) => ({
    id: document,
    error: 'Invalid text',
    message: 'has a zero',
    provided_length: 20,
  }))
  return {
    status: 207,
    body: { status: 'partial_success', ...fields, documents_failed: failed.length, failed_documents: failed },
  }
}
const upload = (id: string, outcomes: Readonly<Record<string, string>>): Answer => {
  const isFinal = !Object.values(outcomes).includes('pending')
  const documents = Object.entries(outcomes).map(([document, outcome]) => ({
    id: document,
    status: outcome === 'pending' ? 'processing' : outcome,
    outcome,
    reason: outcome === 'failed' ? 'embedding_refused' : null,
    message: null,
  }))
  const counts = { pending: 0, completed: 0, failed: 0, superseded: 0, deleted: 0 }
  const times = { created_at: at, updated_at: at, finished_at: isFinal ? at : null, next_attempt_at: null, timings: {} }
  const state = { state: isFinal ? 'completed' : 'running', processing_status: isFinal ? 'completed' : 'in_progress' }
  return {
    status: 200,
    body: {
      upload_id: id,
      namespace_name: 'demo',
      kind: 'text',
      ...state,
      reason: null,
      documents,
      counts,
      attempts: 1,
      ...times,
    },
  }
}

const texts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `t${index}`,
    name: `t${index}`,
    text: `this is text ${index}`,
    source: 'folder',
  }))

const patience = () => ({ giveUpAfterMs: 2_000, pollEveryMs: 1, signal: new AbortController().signal })

const index = async (cairn: Cairn, count: number) => {
  const lines: string[] = []
  const progress = createProgress({ write: (line) => void lines.push(line), isTerminal: true, now: () => 0 })
  const options = { cairn, namespace: 'demo', texts: texts(count), progress, patience: patience() }
  return { result: await indexTexts(options), lines }
}

describe('indexing through the API', () => {
  it('sends batches of 25, waits for each by one request where that is enough, and tells how far it is', async () => {
    const batches: string[][] = []
    const looked = new Map<string, number>()
    const waits: string[] = []
    const cairn = await serve((sent) => {
      if (sent.path === '/v1/namespaces') return created
      if (sent.method === 'POST') {
        batches.push((sent.body.documents ?? []).map(({ id }) => id))
        return accepted(`u${batches.length}`, sent)
      }
      const { pathname, searchParams } = new URL(sent.path, 'http://server')
      const id = pathname.split('/').at(-1) ?? ''
      waits.push(`${id} ${searchParams.get('wait')}`)
      const times = (looked.get(id) ?? 0) + 1
      looked.set(id, times)
      const documents = batches[Number(id.slice(1)) - 1] ?? []
      return upload(
        id,
        Object.fromEntries(
          documents.map((document) => [document, id === 'u2' && times === 1 ? 'pending' : 'completed']),
        ),
      )
    })
    const { result, lines } = await index(cairn, 60)
    expect(result).toMatchObject({ indexed: 60, failed: [] })
    expect(batches.map((batch) => batch.length).toSorted()).toEqual([10, 25, 25])
    expect(waits.map((wait) => wait.replace(/ [1-9]\d*$/, ' some')).toSorted()).toEqual([
      'u1 some',
      'u2 some',
      'u2 some',
      'u3 some',
    ])
    expect(lines.join('')).toMatch(/\b(25|35) of 60 documents, \S+\/s, less than 0\.1 s left/)
    expect(lines.join('')).toContain('60 of 60 documents')
  })

  it('names what is refused and what fails', async () => {
    const cairn = await serve((sent) => {
      if (sent.path === '/v1/namespaces') return created
      if (sent.method === 'POST') return accepted('u1', sent, ['t1'])
      return upload('u1', { t0: 'completed', t2: 'failed', t1: 'failed' })
    })
    const { result } = await index(cairn, 3)
    expect(result).toMatchObject({
      indexed: 1,
      failed: [
        { id: 't1', why: 'has a zero' },
        { id: 't2', why: 'embedding_refused' },
      ],
    })
  })

  it('asks again while the server says later', async () => {
    let asked = 0
    const cairn = await serve((sent) => {
      if (sent.path === '/v1/namespaces') return created
      if (sent.method !== 'POST') return upload('u1', { t0: 'completed' })
      asked += 1
      return asked < 3 ? { ...failure(503, 'later'), retryAfter: '0' } : accepted('u1', sent)
    })
    expect((await index(cairn, 1)).result).toMatchObject({ indexed: 1 })
    expect(asked).toBe(3)
  })

  it('uses a text namespace that is there, and no other', async () => {
    let type = 'text'
    const cairn = await serve((sent) => {
      if (sent.method === 'POST' && sent.path === '/v1/namespaces')
        return failure(409, 'Namespace "demo" already exists')
      if (sent.path === '/v1/namespaces')
        return {
          status: 200,
          body: {
            namespaces: [{ namespace_name: 'demo', type, vector_dimension: null, item_count: 3, created_at: at }],
          },
        }
      return sent.method === 'POST' ? accepted('u1', sent) : upload('u1', { t0: 'completed' })
    })
    expect((await index(cairn, 1)).result).toMatchObject({ indexed: 1 })
    type = 'vector'
    await expect(index(cairn, 1)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('--namespace'),
    })
  })
})

describe('a search', () => {
  it('waits for as long as the model is loading, longer than the client does', async () => {
    let asked = 0
    const cairn = await serve(() => {
      asked += 1
      return asked < 7 ? { ...failure(503, 'loading'), retryAfter: '0' } : { status: 200, body: { results: [] } }
    })
    expect(await searchTexts({ cairn, namespace: 'demo', patience: patience() }, 'query', 3)).toEqual([])
    expect(asked).toBe(7)
  })
})

describe('the rank of a package', () => {
  const hits = (...ids: string[]) =>
    ids.map((id) => ({ id, score: 0.5, label: 'High Relevance' as const, text: '', metadata: {}, namespace: 'demo' }))

  it('counts the parts of a long README as one', () => {
    expect(rankOf(hits('a#2', 'a', 'a#3', 'b'), 'b')).toBe(2)
    expect(rankOf(hits('a#2', 'a'), 'a')).toBe(1)
    expect(rankOf(hits('a'), 'b')).toBeUndefined()
  })
})
