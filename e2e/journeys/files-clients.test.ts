import { execFile } from 'node:child_process'
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { operations } from '@cairn/contracts/api/operations'
import { eventually } from '@cairn/testing/eventually'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineSettings } from '../cluster-target.ts'
import { search, useTarget } from '../story.ts'

const story = useTarget()
const run = promisify(execFile)

const type = 'text/plain'
const hardName = `a b/it's "100%" + #ü 文件?.txt`
const minPartBytes = 5 * 1024 * 1024
const withinMs = 60_000

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-clients-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let made = 0
const freshPath = (): string => {
  made += 1
  return join(folder, `a file ${made}`)
}
const fileOf = (content: string | Uint8Array): string => {
  const path = freshPath()
  writeFileSync(path, content)
  return path
}

type Sent = { readonly status: number; readonly etag?: string | undefined; readonly text: string }

const curlIsMissing = await run('curl', ['--version']).then(
  () => false,
  () => true,
)

/** Runs curl; resolves to the response and to curl's verbose output. */
const curl = async (args: readonly string[], input?: string): Promise<Sent & { readonly said: string }> => {
  const answer = freshPath()
  const running = run('curl', ['-sS', '-v', '-m', '60', '-o', answer, '-w', '%{http_code}', ...args], {
    timeout: withinMs,
  })
  if (input !== undefined) running.child.stdin?.end(input)
  const { stdout, stderr } = await running
  const text = await Promise.resolve()
    .then(() => readFileSync(answer, 'utf8'))
    // curl writes no file if the response has no body.
    .catch(() => '')
  return { status: Number(stdout), etag: /^< etag: (.*?)\r?$/im.exec(stderr)?.[1], text, said: stderr }
}

const withFetch = async (
  url: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Promise<Sent> => {
  const answer = await fetch(url, { method: 'PUT', body, headers, signal: AbortSignal.timeout(withinMs) })
  return { status: answer.status, etag: answer.headers.get('etag') ?? undefined, text: await answer.text() }
}

/** Streams a file of known length, as browsers and servers send files that they don't hold in memory. */
const withHttp = async (
  url: string,
  path: string,
  headers: Readonly<Record<string, string | number>>,
): Promise<Sent> => {
  const request = httpRequest(url, { method: 'PUT', headers, signal: AbortSignal.timeout(withinMs) })
  const answered = new Promise<Sent>((resolve, reject) => {
    request.once('error', reject).once('response', async (response) => {
      response.setEncoding('utf8')
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode ?? 0, etag: response.headers.etag, text })
    })
  })
  // If the upload is rejected before its end, the response gives the reason.
  await pipeline(createReadStream(path), request).catch(() => undefined)
  return answered
}

/** Sends the file with the transport of the AWS SDK. */
const withAwsSdk = async (
  address: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<Sent> => {
  const { protocol, hostname, port, pathname, searchParams } = new URL(address)
  const client = new S3Client({ region: 'us-east-1', credentials: { accessKeyId: 'none', secretAccessKey: 'none' } })
  const request = {
    protocol,
    hostname,
    port: Number(port),
    path: pathname,
    query: Object.fromEntries(searchParams),
    method: 'PUT',
    headers,
    body,
  }
  try {
    const { response } = await client.config.requestHandler.handle(request as never)
    let text = ''
    for await (const chunk of response.body ?? []) text += String(chunk)
    return { status: response.statusCode, etag: response.headers['etag'], text }
  } finally {
    client.destroy()
  }
}

const scene = async () => {
  const { api, apiKey, name: namespace_name } = await story.room()
  const params = { namespace_name }
  const grant = async (file_name: string) =>
    (await api.call(operations.createUploadUrl, { params, body: { file_name } }, 200)).body
  const { files } = api.sdk
  const list = async () => (await files.list(namespace_name)).files
  const remove = async (name: string) => (await files.delete(namespace_name, [name])).map(({ status }) => status)
  /** Waits until the service has registered the object, either by the store's event or by polling. */
  const arrived = (file_name: string) =>
    eventually(
      () => files.status(namespace_name, file_name),
      ({ state }) => state !== 'awaiting_upload',
      { withinMs, everyMs: 50 },
    )
  return { api, apiKey, namespace_name, params, grant, list, remove, arrived }
}

const content = Buffer.from('The lighthouse keeper writes down every ship that passes the cape.\n')

type Put = (to: { readonly url: string; readonly apiKey: string; readonly hint: string }) => Promise<Sent>
const headerOf = ['-H', `Content-Type: ${type}`]
const curls: readonly (readonly [string, Put])[] = [
  ['curl -T', ({ url }) => curl(['-T', fileOf(content), ...headerOf, url])],
  [
    'curl --upload-file, asking before it sends',
    ({ url }) => curl(['--upload-file', fileOf(content), ...headerOf, '-H', 'Expect: 100-continue', url]),
  ],
  [
    'curl -X PUT --data-binary',
    ({ url }) => curl(['-X', 'PUT', '--data-binary', `@${fileOf(content)}`, ...headerOf, url]),
  ],
  ['curl --http1.0', ({ url }) => curl(['--http1.0', '-T', fileOf(content), ...headerOf, url])],
  [
    'the example of the hint, in a shell',
    async ({ url, hint }) => {
      const example = /Example: curl (.*)$/.exec(hint)?.[1] ?? ''
      const command = example.replace('<file>', `'${fileOf(content)}'`).replace('<upload_url>', url)
      const { stdout } = await run('sh', ['-c', `curl -sS -m 60 -w '%{http_code}' ${command}`], { timeout: withinMs })
      return { status: Number(stdout), text: '' }
    },
  ],
]
const others: readonly (readonly [string, Put])[] = [
  ['fetch', ({ url }) => withFetch(url, content, { 'content-type': type })],
  [
    'fetch, with the headers that published clients leave on',
    ({ url, apiKey }) =>
      withFetch(url, content, {
        'content-type': type,
        'x-api-key': apiKey,
        accept: 'application/json',
        'user-agent': 'python-httpx/0.28.1',
      }),
  ],
  [
    "Node's http, of a stream",
    ({ url }) => withHttp(url, fileOf(content), { 'content-type': type, 'content-length': content.length }),
  ],
  [
    'the AWS SDK',
    ({ url }) => withAwsSdk(url, content, { 'content-type': type, 'content-length': String(content.length) }),
  ],
]

describe('a file', () => {
  // Concurrent, because each test waits for a poll of the store.
  it.concurrent.for([...curls, ...others])(
    'sent by %s is stored under its name, taken in, and found',
    { timeout: 2 * withinMs },
    async ([name, put], { skip }) => {
      if (curlIsMissing && curls.some(([by]) => by === name)) return skip('curl is not installed')
      const { api, apiKey, namespace_name, grant, list, remove, arrived } = await scene()
      const { upload_url: url, content_type, hint } = await grant(hardName)
      expect(content_type).toBe(type)
      expect(await put({ url, apiKey, hint })).toMatchObject({ status: 200, text: '' })
      expect(await list()).toMatchObject([{ file_name: hardName, size: content.length }])
      expect(await arrived(hardName)).toMatchObject({ file_name: hardName, size: content.length })
      const found = () => search(api, [namespace_name], 'lighthouse keeper')
      const { results } = await eventually(found, (body) => body.results.length > 0, { withinMs, everyMs: 100 })
      expect(results[0]?.text).toContain('every ship')
      expect(await remove(hardName)).toEqual(['deleted'])
      expect(await list()).toEqual([])
    },
  )
})

describe('the address of an upload', () => {
  it('lets curl go on that asks before it sends much, and takes every byte', async ({ skip }) => {
    if (curlIsMissing) return skip('curl is not installed')
    const { grant, list, remove } = await scene()
    const bytes = 2 * 1024 * 1024 + 1
    const { upload_url: url } = await grant('much.txt')
    // curl sends `Expect: 100-continue` by itself for bodies above 1 MB.
    const { status, said } = await curl(['-T', fileOf(Buffer.alloc(bytes, 'x ')), ...headerOf, url])
    expect(said).toMatch(/^> expect: 100-continue/im)
    expect(said).toMatch(/^< HTTP\/1.1 100 Continue/im)
    expect(status).toBe(200)
    expect(await list()).toMatchObject([{ file_name: 'much.txt', size: bytes }])
    expect(await remove('much.txt')).toEqual(['deleted'])
  })

  it('wants to know the length: 411 for a body in chunks', async ({ skip }) => {
    if (curlIsMissing) return skip('curl is not installed')
    const { grant, list } = await scene()
    const { upload_url: url } = await grant('chunks.txt')
    const { status, text, said } = await curl(['-T', '-', ...headerOf, url], content.toString())
    expect(said).toMatch(/^> transfer-encoding: chunked/im)
    // SeaweedFS takes a body of unknown length, and all of it.
    if (process.env['E2E_TARGET'] && status === 200)
      return expect(await list()).toMatchObject([{ file_name: 'chunks.txt', size: content.length }])
    expect([status, text]).toEqual([411, expect.stringContaining('<Code>MissingContentLength</Code>')])
    expect(await list()).toEqual([])
  })

  it('refuses what curl sends by itself: no type, or that of a form', async ({ skip }) => {
    if (curlIsMissing) return skip('curl is not installed')
    const { grant, list } = await scene()
    const { upload_url: url } = await grant('a.txt')
    // 403, or 400 from stores that report a missing signed header.
    const refused = {
      status: expect.toSatisfy((status) => status === 403 || status === 400),
      text: expect.stringMatching(/<Error>.*<Code>\w+<\/Code>/s),
    }
    for (const args of [
      ['-T', fileOf(content)],
      ['-X', 'PUT', '--data-binary', `@${fileOf(content)}`],
    ])
      expect(await curl([...args, url])).toMatchObject(refused)
    expect(await list()).toEqual([])
  })

  it.each([0, 1])('takes a file of %i bytes', async (bytes) => {
    const { grant, list } = await scene()
    const { upload_url: url } = await grant('small.txt')
    expect(
      await withHttp(url, fileOf(Buffer.alloc(bytes, 'x')), { 'content-type': type, 'content-length': bytes }),
    ).toMatchObject({
      status: 200,
    })
    expect(await list()).toMatchObject([{ file_name: 'small.txt', size: bytes }])
  })
})

describe('the addresses of parts', () => {
  it('take them from any client, without a type, and give an etag for each', { timeout: 2 * withinMs }, async ({
    skip,
  }) => {
    if (curlIsMissing) return skip('curl is not installed')
    const { api, params, list, remove } = await scene()
    const body = { file_name: hardName, parts: 4 }
    const { upload_id, parts } = (await api.call(operations.startMultipartUpload, { params, body }, 200)).body
    const urls = parts.map(({ upload_url }) => upload_url) as [string, string, string, string]
    const full = Buffer.alloc(minPartBytes, 'a line of text\n')
    const sent = [
      await curl(['-T', fileOf(full), urls[0]]),
      await withFetch(urls[1], full, {}),
      await withAwsSdk(urls[2], full, { 'content-length': String(minPartBytes) }),
      await withHttp(urls[3], fileOf(content), { 'content-length': content.length }),
    ]
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await list()).toEqual([])
    const etags = sent.map(({ etag }, index) => ({ part: index + 1, etag }))
    const size = 3 * minPartBytes + content.length
    const complete = { params, body: { file_name: hardName, upload_id, parts: etags } }
    expect((await api.call(operations.completeMultipartUpload, complete, 200)).body).toMatchObject({
      file_name: hardName,
      size,
    })
    expect(await list()).toMatchObject([{ file_name: hardName, size }])
    expect(await remove(hardName)).toEqual(['deleted'])
  })
})

describe('an object that was put into the bucket without an address', () => {
  it('is shown and read nowhere, and goes with its namespace', { timeout: 2 * withinMs }, async ({ skip }) => {
    if (process.env['E2E_TARGET'] !== 'cluster') return skip('the object store is not known to these tests')
    const { api, params, grant, list } = await scene()
    const announced = new URL((await grant('announced.txt')).upload_url)
    const neighbour = await scene()
    const { upload_url } = await neighbour.grant('with.txt')
    const [, bucket = '', ...key] = decodeURIComponent(announced.pathname).split('/')
    const settings = await engineSettings()
    const client = new S3Client({
      endpoint: announced.origin,
      region: settings['CAIRN_S3_REGION'] ?? 'us-east-1',
      forcePathStyle: true,
      credentials: {
        accessKeyId: settings['CAIRN_S3_ACCESS_KEY_ID'] ?? '',
        secretAccessKey: settings['CAIRN_S3_SECRET_ACCESS_KEY'] ?? '',
      },
    })
    try {
      const at = { Bucket: bucket, Key: key.with(-1, 'without.txt').join('/') }
      await client.send(new PutObjectCommand({ ...at, Body: content, ContentType: type }))
      expect((await withFetch(upload_url, content, { 'content-type': type })).status).toBe(200)
      // Proves that the pipeline has polled the store since then.
      await neighbour.arrived('with.txt')
      expect(await list()).toEqual([])
      await api.call(operations.getFileStatus, { params: { ...params, file_name: 'without.txt' } }, 404)
      await api.call(operations.deleteNamespace, { params }, 202)
      const isThere = () =>
        client.send(new HeadObjectCommand(at)).then(
          () => true,
          ({ name }: Error) => name !== 'NotFound',
        )
      await eventually(isThere, (yes) => !yes, { withinMs, everyMs: 100 })
    } finally {
      client.destroy()
    }
  })
})
