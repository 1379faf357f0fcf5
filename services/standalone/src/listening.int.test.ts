import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'

const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
const hasIpv6 = addresses.some(({ address }) => address === '::1')
const networkAddress = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address

/** No engines run: these processes listen before they wait for their engines. */
const cluster = {
  CAIRN_SECRET: 'A8fL0qPz7Rk2VnX4bT6yUw1sHc3JmE5g',
  CAIRN_KAFKA_BROKERS: '127.0.0.1:9',
  CAIRN_MONGODB_URL: 'mongodb://127.0.0.1:9',
  CAIRN_QDRANT_URL: 'http://127.0.0.1:9',
  CAIRN_S3_ENDPOINT: 'http://127.0.0.1:9',
  CAIRN_S3_ACCESS_KEY_ID: 'key',
  CAIRN_S3_SECRET_ACCESS_KEY: 'secret',
}
const processes = {
  'one process': { service: 'standalone', path: '/livez', env: { CAIRN_CONSOLE: 'off', CAIRN_LOG_LEVEL: 'warn' } },
  'edge store': { service: 'edge', path: '/health', env: { CAIRN_EDGE_KEY: 'a-key-of-some-length' } },
  gateway: { service: 'gateway', path: '/livez', env: cluster },
  'worker of a cluster': { service: 'namespace', path: '/livez', env: cluster },
}
type Kind = keyof typeof processes
const kinds = Object.keys(processes) as Kind[]

const freePort = async (): Promise<number> => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}

const start = async (kind: Kind, host: Readonly<Record<string, string>>) => {
  const port = await freePort()
  const { service, path, env } = processes[kind]
  const child = spawn(process.execPath, [join(import.meta.dirname, `../../${service}/src/main.ts`)], {
    env: { PORT: String(port), CAIRN_EMBEDDER: 'lexical', CAIRN_DATA_DIR: temporaryDirectory(), ...env, ...host },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const answers = async (at: string): Promise<boolean> => {
    try {
      const { status } = await fetch(`http://${at}:${port}${path}`, {
        headers: { 'x-api-key': 'a-key-of-some-length' },
        signal: AbortSignal.timeout(2_000),
      })
      return status === 200
    } catch {
      return false
    }
  }
  return { port, answers, ended: once(child, 'close'), output: () => output }
}

describe.each(kinds)('a process (%s)', (kind) => {
  it('answers programs of its machine only, by 127.0.0.1 and ::1, where nothing is set', async () => {
    const { answers } = await start(kind, {})
    await expect.poll(() => answers('127.0.0.1'), { timeout: 30_000 }).toBe(true)
    expect(await answers('[::1]')).toBe(hasIpv6)
    if (networkAddress !== undefined) expect(await answers(networkAddress)).toBe(false)
  }, 40_000)

  it.each(['0.0.0.0', ...(hasIpv6 ? ['::'] : [])])(
    'answers the network on %s',
    async (host) => {
      const { answers } = await start(kind, { CAIRN_HOST: host })
      await expect.poll(() => answers('127.0.0.1'), { timeout: 30_000 }).toBe(true)
      expect(await answers('[::1]')).toBe(host === '::')
      if (networkAddress !== undefined) expect(await answers(networkAddress)).toBe(true)
    },
    40_000,
  )

  it('ends with a sentence on a name that it can not listen on', async () => {
    const { ended, output } = await start(kind, { CAIRN_HOST: 'no-such-host.invalid' })
    expect(await ended).toEqual([1, null])
    expect(output()).toContain('CAIRN_HOST is no-such-host.invalid, a name that cannot be resolved. Leave it unset')
  }, 40_000)
})

it.each(['one process', 'gateway'] as const)(
  'keeps idle connections as long as is set (%s)',
  async (kind) => {
    const { port, answers } = await start(kind, { CAIRN_KEEP_ALIVE_SECONDS: '61' })
    await expect.poll(() => answers('127.0.0.1'), { timeout: 30_000 }).toBe(true)
    const { headers } = await fetch(`http://127.0.0.1:${port}/livez`)
    expect(headers.get('keep-alive')).toBe('timeout=61')
  },
  40_000,
)

it('prints links and signs upload URLs with the address that clients use', async () => {
  const data = temporaryDirectory()
  const { port, answers, output } = await start('one process', {
    CAIRN_PUBLIC_URL: 'https://cairn.example',
    CAIRN_DATA_DIR: data,
  })
  await expect.poll(() => answers('127.0.0.1'), { timeout: 30_000 }).toBe(true)
  await expect.poll(output, { timeout: 10_000 }).toContain('API       https://cairn.example/v1')
  const post = async (path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/namespaces${path}`, {
      method: 'POST',
      headers: { 'x-api-key': readFileSync(join(data, 'api-key'), 'utf8').trim(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return response.json()
  }
  await post('', { namespace_name: 'notes', type: 'text' })
  expect(await post('/notes/upload-url', { file_name: 'a.txt' })).toMatchObject({
    upload_url: expect.stringMatching(/^https:\/\/cairn\.example\/files\//),
  })
}, 40_000)
