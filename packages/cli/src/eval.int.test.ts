import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Cairn } from '@cairn/client'
import { seededRandom } from '@cairn/testing/seeded-random'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Standalone, startStandalone } from '../../../e2e/target.ts'
import { cairn as runCommand } from './run.fixture.ts'

const patienceMs = 60_000

const write = (questions: readonly object[]): string => {
  const path = join(temporaryDirectory(), 'questions.jsonl')
  writeFileSync(path, questions.map((question) => `${JSON.stringify(question)}\n`).join(''))
  return path
}

const random = seededRandom(7)
const syllables = ['ka', 'lo', 'mi', 'ru', 'te', 'so', 'na', 'vi', 'pe', 'du']
const word = (): string => Array.from({ length: 3 }, () => random.pick(syllables)).join('')
const words = (count: number): string[] => Array.from({ length: count }, word)
const count = 120
/** Documents, and a question for each with some of its words and some of others. */
const collection = Array.from({ length: count }, (_, index) => {
  const text = words(30)
  const asked = [...random.shuffle(text).slice(0, 3), ...words(4)]
  return { id: `d${index}`, text: text.join(' '), question: asked.join(' ') }
})

describe('cairn eval', { timeout: patienceMs }, () => {
  let server: Standalone
  let api: Cairn
  beforeAll(async () => {
    server = await startStandalone()
    api = new Cairn({ url: server.url, apiKey: server.apiKey })
    await api.namespaces.create('words')
    await api.documents.upload('words', collection, { wait: true })
  }, patienceMs)
  afterAll(() => server.stop())

  const questions = () => write(collection.map(({ id, question }) => ({ question, expected: [id] })))
  const cairn = (...args: string[]) =>
    runCommand({ CAIRN_URL: server.url, CAIRN_API_KEY: server.apiKey }, 'eval', 'words', ...args)
  const json = async (...args: string[]) => {
    const { code, out, err } = await cairn(...args, '--json')
    return { code, err, data: JSON.parse(out) }
  }

  it('ends with 1 once 10 % of the documents are hidden, and not without a change', async () => {
    const first = await cairn(questions())
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toMatch(/^MEASURE +MEAN +95 % INTERVAL\nnDCG@10 +0\.\d{3} +0\.\d{3} to 0\.\d{3}\nrecall@10 /)
    expect(first.out).toMatch(/^mode +hybrid\nquestions +120\nwithout a hit +\d+$/m)
    expect(first.out).toMatch(/^NDCG@10 +RANK +WORST QUESTIONS\n/m)
    expect(first.out).toMatch(/\nno earlier evaluation of these questions\n$/)

    // The order of the lines does not matter.
    const again = await json(write(collection.toReversed().map(({ id, question }) => ({ question, expected: [id] }))))
    expect(again).toMatchObject({ code: 0, err: '' })
    expect(again.data).toMatchObject({
      mode: 'hybrid',
      model: 'lexical',
      item_count: count,
      questions: count,
      change: { difference: 0, p: 1, significant: false },
      intervals: { ndcg_at_10: [expect.any(Number), expect.any(Number)] },
    })
    expect(again.data.ndcg_at_10).toBeGreaterThan(0.5)

    const hidden = random.shuffle(collection).slice(0, count / 10)
    await api.documents.delete(
      'words',
      hidden.map(({ id }) => id),
    )
    const worse = await json(questions())
    expect(worse.code).toBe(1)
    expect(worse.err).toMatch(
      /^cairn: Significant loss: nDCG@10 -0\.\d{3} against hybrid, lexical \(p 0\.\d{4}\): significant\n$/,
    )
    expect(worse.data.change).toMatchObject({ evaluation_id: again.data.evaluation_id, significant: true })
    expect(worse.data.without_hit).toBeGreaterThanOrEqual(hidden.length)
    expect(worse.data.worst).toHaveLength(10)
    expect(await json(questions())).toMatchObject({ code: 0, data: { change: { difference: 0 } } })
    // The evaluation before the loss can be chosen, also by a run that changes nothing.
    const { evaluation_id: id } = again.data
    expect(await json(questions(), '--against-id', id)).toMatchObject({
      code: 1,
      data: { change: { evaluation_id: id } },
    })
  })

  it('compares two modes, each of which has an earlier evaluation of its own from then on', async () => {
    const few = write(collection.slice(0, 20).map(({ id, question }) => ({ question, expected: [id] })))
    const { data } = await json(few, '--mode', 'semantic', '--against', 'lexical')
    expect(data).toMatchObject({ mode: 'semantic', change: { mode: 'lexical' } })
    const [semantic, lexical] = await api.evaluations.list('words')
    expect([semantic?.mode, lexical?.mode]).toEqual(['semantic', 'lexical'])
    expect(semantic?.change?.evaluation_id).toBe(lexical?.evaluation_id)
    expect(await json(few, '--mode', 'lexical')).toMatchObject({
      code: 0,
      data: { change: { evaluation_id: lexical?.evaluation_id, difference: 0 } },
    })
    const other = await cairn(questions(), '--against-id', lexical?.evaluation_id ?? '')
    expect(other).toMatchObject({ code: 4, err: expect.stringContaining('other questions') })
  })

  it('finds files by their names', async () => {
    await api.namespaces.create('files')
    for (const name of ['guide/path.md', 'bread.md']) {
      await api.files.upload('files', new Blob([`# ${name}\n\nText about ${name} and what is in it.\n`]), { name })
      await api.waitFor.file('files', name)
    }
    const asked = write([{ question: 'the guide of the path', files: ['guide/path.md'] }])
    const env = { CAIRN_URL: server.url, CAIRN_API_KEY: server.apiKey }
    const { code, out } = await runCommand(env, 'eval', 'files', asked, '--json')
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, ndcg_at_10: 1, without_hit: 0 })
  })

  it('sends nothing if an option, the file or the namespace is wrong', async () => {
    const before = await api.evaluations.list('words')
    await api.namespaces.create('points', { type: 'vector', vector_dimension: 2 })
    const env = { CAIRN_URL: server.url, CAIRN_API_KEY: server.apiKey }
    for (const [code, ...args] of [
      [2, 'words', questions(), '--mode', 'best'],
      [2, 'words', questions(), '--against', 'hybrid'],
      [2, 'words', questions(), '--against', 'lexical', '--against-id', 'x'],
      [2, 'words', questions(), '--top-k', '9'],
      [2, 'words', questions(), '--top-k', '101'],
      [2, 'words', join(temporaryDirectory(), 'none')],
      [2, 'words', write([{ question: 'a' }])],
      [2, 'points', questions()],
      [4, 'none', questions()],
      [4, 'words', questions(), '--against-id', 'none'],
    ] as const)
      expect({ args, ...(await runCommand(env, 'eval', ...args)) }).toMatchObject({ args, code, out: '' })
    expect(await api.evaluations.list('words')).toEqual(before)
  })
})

/** Starts a server with a text namespace, whose searches are answered by `search`. */
const serve = async (search: (attempt: number) => readonly [number, object, object?]) => {
  const seen: string[] = []
  let searches = 0
  const answerTo = ({ method, url = '' }: IncomingMessage): readonly [number, object, object?] => {
    if (url === '/v1/search') {
      searches += 1
      return search(searches)
    }
    if (url.endsWith('/evaluations')) return method === 'GET' ? [200, { evaluations: [] }] : [201, { change: null }]
    return [200, { namespace_name: 'notes', type: 'text', model: 'lexical', item_count: 1 }]
  }
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    const [status, body, headers = {}] = answerTo(request)
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const env = { CAIRN_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, CAIRN_API_KEY: 'the key' }
  const questions = write([{ question: 'a', expected: ['x'] }])
  return { seen, run: () => runCommand(env, 'eval', 'notes', questions) }
}
const kept = 'POST /v1/namespaces/notes/evaluations'
const found = { results: [{ id: 'x', metadata: {} }] }

describe('cairn eval, against a server with trouble', () => {
  it('waits as long as the server says', async () => {
    const { seen, run } = await serve((attempt) =>
      attempt < 3 ? [429, { message: 'Too many requests' }, { 'retry-after': '0' }] : [200, found],
    )
    expect(await run()).toMatchObject({ code: 0, err: '' })
    expect(seen.filter((request) => request === 'POST /v1/search')).toHaveLength(3)
    expect(seen).toContain(kept)
  })

  it('keeps nothing where the index is incomplete', async () => {
    const { seen, run } = await serve(() => [200, { ...found, degraded: ['notes'] }])
    expect(await run()).toMatchObject({ code: 5, err: expect.stringContaining('incomplete') })
    expect(seen).not.toContain(kept)
  })

  it.each([
    ['a fault of the server', [413, { message: 'Too large' }]],
    ['a response that is none of Cairn', [200, { hits: [] }]],
  ] as const)('does not end with 1, which means a loss, for %s', async (_, answer) => {
    const { seen, run } = await serve(() => answer)
    expect(await run()).toMatchObject({ code: 5, out: '' })
    expect(seen).not.toContain(kept)
  })
})
