import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { cairn } from './run.fixture.ts'

const state = (more: object = {}) => ({
  namespace_name: 'notes',
  phase: 'filling',
  model: 'lexical',
  other_model: 'letters',
  flip: 'automatic',
  keep_days: 7,
  progress: { total: 9, passed: 4, written: 4, rejected: 0 },
  error: null,
  queries: null,
  comparison: null,
  started_at: '2026-03-01T12:00:00.000Z',
  phase_started_at: '2026-03-01T12:00:00.000Z',
  flipped_at: null,
  kept_until: null,
  ...more,
})

const estimate = {
  namespace_name: 'notes',
  model: 'lexical',
  other_model: 'letters',
  items: 40,
  chunks: 2,
  characters: 900,
  passages: 50,
  tokens: 300,
  seconds: 1.5,
  sampled: 18,
}

/** Starts a server that sends these responses in order, then repeats the last response. */
const serve = async (...answers: readonly [number, object][]) => {
  const seen: { readonly line: string; readonly key: unknown; readonly body: unknown }[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    const text = (await request.toArray()).map(String).join('')
    seen.push({
      line: `${method} ${url}`,
      key: headers['x-api-key'],
      body: text === '' ? undefined : JSON.parse(text),
    })
    const [status, body] = answers[Math.min(seen.length, answers.length) - 1] as [number, object]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const env = { CAIRN_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, CAIRN_API_KEY: 'the key' }
  return { run: (...args: string[]) => cairn(env, 'reindex', 'notes', ...args), seen }
}

const path = '/v1/namespaces/notes/reindex'
const notFound: [number, object] = [
  404,
  { status: 'failure', message: 'Reindex not found', error: 'x', request_id: 'r' },
]

it('estimates with --dry-run', async () => {
  const { run, seen } = await serve([200, estimate])
  const { code, out } = await run('--model', 'letters', '--dry-run')
  expect(code).toBe(0)
  expect(out).toContain('40 items and 2 chunks, about 900 characters in 50 passages')
  expect(out).toContain('about 1.5 s (18 texts read)')
  const body = { model: 'letters', dry_run: true, flip: 'automatic', compare_queries: false }
  expect(seen).toEqual([{ line: `POST ${path}`, key: 'the key', body }])
})

it('estimates no time of 0.0 s', async () => {
  const { run } = await serve([200, { ...estimate, seconds: 0.004 }])
  expect((await run('--dry-run')).out).toMatch(/time to embed +less than 0\.1 s \(18 texts read\)/)
})

it('begins, shows the progress on standard error, and ends with the state after the flip', async () => {
  const kept = state({
    phase: 'kept',
    model: 'letters',
    other_model: 'lexical',
    kept_until: '2026-03-08T12:00:00.000Z',
  })
  const { run, seen } = await serve([202, state()], [200, kept])
  const { code, out, err } = await run('--json')
  expect({ code, data: JSON.parse(out), err }).toEqual({ code: 0, data: kept, err: '  filling  4 of 9\n' })
  expect(seen.map(({ line }) => line)).toEqual([`POST ${path}`, `GET ${path}`])
})

it('ends with 1 and the reason when the reindex waits for somebody to decide', async () => {
  const { run } = await serve([202, state()], [200, state({ phase: 'filled', error: 'The model rejects 1 item.' })])
  expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('cairn: The model rejects 1 item.') })
})

it.each([
  ['--flip', `POST ${path}/flip`, 'kept'],
  ['--rollback', `POST ${path}/rollback`, 'kept'],
])('waits with %s until the models have changed places', async (option, line, phase) => {
  const { run, seen } = await serve([202, state({ phase: 'flipping' })], [200, state({ phase })])
  const { code, out } = await run(option)
  expect(code).toBe(0)
  expect(out).toMatch(/phase +kept/)
  expect(seen[0]).toMatchObject({ line })
})

it('waits with --end until there is no reindex any more', async () => {
  const { run, seen } = await serve([202, state({ phase: 'removing' })], notFound)
  expect(await run('--end', '--yes')).toMatchObject({ code: 0, out: 'the reindex has ended\n' })
  expect(seen[0]).toMatchObject({ line: `DELETE ${path}` })
})

it('does not wait with --detach', async () => {
  const { run, seen } = await serve([202, state()])
  expect((await run('--manual', '--detach', '--keep-days', '3', '--compare-queries')).code).toBe(0)
  expect(seen).toMatchObject([{ body: { flip: 'manual', keep_days: 3, compare_queries: true, dry_run: false } }])
})

it('shows the state, with the comparison', async () => {
  const comparison = { queries: 3, overlap_at_10: 0.875, median_ms: 4.2, other_median_ms: 9 }
  const { run } = await serve([200, state({ phase: 'filled', flip: 'manual', comparison })])
  const { out } = await run('--status')
  expect(out).toContain('4 of 9 checked, 4 embedded, 0 rejected')
  expect(out).toContain('overlap at 10: 0.88, 4 ms and 9 ms (3 queries)')
})

it.each([
  [['--flip', '--rollback'], "--flip and --rollback can't be used together"],
  [['--keep-days', 'few'], '--keep-days must be a whole number, not few'],
])('refuses %j', async (args, message) => {
  const { run, seen } = await serve([202, state()])
  expect(await run(...args)).toEqual({ code: 2, out: '', err: `cairn: ${message}\n` })
  expect(seen).toEqual([])
})

it('ends with 4 where there is no reindex', async () => {
  const { run } = await serve(notFound)
  expect(await run('--status')).toMatchObject({ code: 4, err: 'cairn: notes has no reindex, or does not exist\n' })
})
