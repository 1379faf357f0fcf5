import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { cairn } from './run.fixture.ts'

const idle = {
  namespace_name: 'notes',
  state: 'idle',
  extraction_version: 3,
  outdated_files: 0,
  progress: null,
  started_at: null,
  ended_at: null,
}
const progress = { total: 4, extracted: 1, failed: 0, without_bytes: 1 }
const running = { ...idle, state: 'running', outdated_files: 2, progress, started_at: '2026-03-01T12:00:00.000Z' }
const ended = { ...running, state: 'idle', outdated_files: 1, ended_at: '2026-03-01T12:01:00.000Z' }

/** Starts a server that sends these responses in order, then repeats the last response. */
const serve = async (...answers: readonly [number, object][]) => {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    const [status, body] = answers[Math.min(seen.length, answers.length) - 1] as [number, object]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const env = { CAIRN_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, CAIRN_API_KEY: 'the key' }
  return { run: (...args: string[]) => cairn(env, 'reextract', 'notes', ...args), seen }
}

const path = '/v1/namespaces/notes/reextract'

it('begins, shows the progress on standard error, and ends with what came of it', async () => {
  const done = { ...ended, progress: { ...progress, extracted: 3 } }
  const { run, seen } = await serve([202, running], [200, done])
  const { code, out, err } = await run()
  expect({ code, err }).toEqual({ code: 0, err: '  2 of 4 files\n' })
  expect(out).toMatch(/^state +idle\n.*extracted +3 of 4\nfailed +0\nwithout bytes +1\n/s)
  expect(seen).toEqual([`POST ${path}`, `GET ${path}`])
})

it('ends with 1 where files could not be extracted', async () => {
  const { run } = await serve([202, running], [200, { ...ended, progress: { ...progress, failed: 1 } }])
  const { code, err } = await run()
  expect({ code, err }).toEqual({
    code: 1,
    err: '  2 of 4 files\ncairn: 1 file could not be extracted again; the former content stays searchable\n',
  })
})

it('says so where no file is outdated', async () => {
  const { run } = await serve([200, idle])
  expect(await run()).toEqual({ code: 0, out: 'no file is outdated\n', err: '' })
})

it('does not wait with --detach, and begins nothing with --status', async () => {
  const detached = await serve([202, running])
  expect(await detached.run('--detach', '--json')).toMatchObject({ code: 0, err: '' })
  expect(detached.seen).toEqual([`POST ${path}`])
  const shown = await serve([200, { ...idle, outdated_files: 7 }])
  expect((await shown.run('--status')).out).toMatch(/outdated files +7\n/)
  expect(shown.seen).toEqual([`GET ${path}`])
})
