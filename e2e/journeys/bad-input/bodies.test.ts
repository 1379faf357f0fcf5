import { readFileSync, writeFileSync } from 'node:fs'
import { operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import { checkAnswer } from '../../check-answer.ts'
import { httpCall, speak } from '../../raw-http.ts'
import { isStandalone } from '../../target.ts'
import { longText, refused, useScene } from './scene.ts'

const scene = useScene()
const upload = operations.uploadDocuments
const path = () => `/v1/namespaces/${scene.text.namespace_name}/documents`
const headers = () => ({ 'x-api-key': scene.member.apiKey, 'content-type': 'application/json' })

// Limits are copied from the specification and not imported, so that a changed limit fails the test.
const tenMegabytes = 10_485_760

const good = JSON.stringify({ documents: [{ id: 'good', text: longText }] })
/** Returns a valid body of exactly this size. */
const padded = (bytes: number): string => good + ' '.repeat(bytes - good.length)

describe('B1: bodies around ten megabytes', () => {
  it('are taken up to the limit, and refused from the byte after it with the largest batch that fits', async () => {
    for (const bytes of [tenMegabytes - 1, tenMegabytes]) {
      await scene.api.call(upload, { params: scene.text, raw: padded(bytes) }, 202)
    }
    const over = { params: scene.text, raw: padded(tenMegabytes + 1) }
    const failure = await refused(scene.api, upload, over, {
      status: 413,
      says: /10,485,760 bytes.*100 documents.*fit in one request/,
    })
    expect(failure.details).toEqual({ field: 'body', limit_bytes: tenMegabytes })
  })

  it('are refused without a length as well, as soon as they are too long', async () => {
    const part = Buffer.alloc(64 * 1024, ' ')
    const body = [good, ...Array.from({ length: 200 }, () => part)]
    const answer = await httpCall(scene.story.target.url, { method: 'POST', path: path(), headers: headers(), body })
    checkAnswer(upload, answer)
    expect(answer.status).toBe(413)
    expect(answer.headers.get('connection')).toBe('close')
  })

  it('are not waited for: an announced gigabyte is refused before it comes, and the connection ended', async () => {
    const head = `POST ${path()} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nx-api-key: ${scene.member.apiKey}\r\n`
    const spoken = await speak(scene.story.target.url, `${head}content-length: 1000000000\r\n\r\n${good}`)
    expect(spoken).toMatchObject({ statuses: [413], closed: true })
    expect(spoken.ms).toBeLessThan(2_000)
  })

  it('are not asked for when a client wants to know beforehand', async () => {
    const head = `POST ${path()} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nexpect: 100-continue\r\n`
    const key = `x-api-key: ${scene.member.apiKey}\r\n`
    const long = await speak(scene.story.target.url, `${head}${key}content-length: 20000000\r\n\r\n`, { answers: 1 })
    expect(long.statuses).toEqual([413])
    const keyless = await speak(scene.story.target.url, `${head}content-length: 20\r\n\r\n`, { answers: 1 })
    expect(keyless.statuses).toEqual([401])
    const fine = await speak(scene.story.target.url, `${head}${key}content-length: ${good.length}\r\n\r\n`, {
      answers: 1,
    })
    expect(fine.statuses).toEqual([100])
  })

  it('cost no more memory than their limit and a little', async ({ skip }) => {
    skip(
      !isStandalone() || process.platform !== 'linux',
      'only Linux tells the memory of a process, which must run here',
    )
    const { pid } = scene.story.target
    const read = (name: string) =>
      Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
    const part = Buffer.alloc(64 * 1024, ' ')
    const body = [good, ...Array.from({ length: 200 }, () => part)]
    const growth = async () => {
      // Resets the peak to the current memory use.
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
      const before = read('VmRSS')
      await httpCall(scene.story.target.url, { method: 'POST', path: path(), headers: headers(), body })
      return read('VmHWM') - before
    }
    const grown = [await growth(), await growth(), await growth(), await growth(), await growth()]
    // Ten megabytes are the body itself; twenty would mean a second copy. Garbage of other requests can only add.
    expect(Math.min(...grown)).toBeLessThan(16)
  })
})

describe('B2: nesting', () => {
  /** Returns a body with this total number of levels; the body, the list and the document are three of them. */
  const nested = (levels: number) =>
    `{"documents":[{"id":"deep","text":${JSON.stringify(longText)},"tree":${'['.repeat(levels - 3)}${']'.repeat(levels - 3)}}]}`

  it('is taken to 64 levels and refused beyond', async () => {
    for (const levels of [63, 64]) await scene.api.call(upload, { params: scene.text, raw: nested(levels) }, 202)
    await refused(scene.api, upload, { params: scene.text, raw: nested(65) }, { says: /nested deeper than 64 levels/ })
  })

  it('of a hundred thousand levels is refused within 50 ms, closed or not, of lists or of objects', async () => {
    const deep = [
      nested(100_000),
      '['.repeat(100_000),
      '{"a":'.repeat(100_000),
      `${'{"ids":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
    ]
    for (const raw of deep) {
      const times: number[] = []
      for (let turn = 0; turn < 5; turn += 1)
        times.push((await scene.api.call(upload, { params: scene.text, raw }, 400)).ms)
      expect(Math.min(...times)).toBeLessThan(50)
    }
  })

  it('is not counted within strings', async () => {
    const documents = [{ id: 'brackets', text: '['.repeat(1_000), quoted: `"${'{'.repeat(500)}\\"` }]
    await scene.api.call(upload, { params: scene.text, body: { documents } }, 202)
  })
})

describe('B3: what is not the JSON that was announced', () => {
  const bytes = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding))
  const bad: readonly (readonly [name: string, raw: string | Uint8Array<ArrayBuffer>, says: RegExp])[] = [
    ['truncated', good.slice(0, -3), /not valid JSON/],
    ['truncated within a string', good.slice(0, 30), /not valid JSON/],
    ['UTF-16', bytes(good, 'utf16le'), /JSON|UTF-8/],
    [
      'UTF-16 with a byte order mark',
      new Uint8Array(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(good, 'utf16le')])),
      /UTF-8/,
    ],
    [
      'bytes that are no UTF-8',
      new Uint8Array(Buffer.concat([Buffer.from('{"documents":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])),
      /UTF-8/,
    ],
    [
      'an overlong U+002F',
      new Uint8Array(Buffer.concat([Buffer.from('{"documents":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')])),
      /UTF-8/,
    ],
    ['trailing text', `${good} and more`, /not valid JSON/],
    ['two values', good + good, /not valid JSON/],
    ['two byte order marks', `\uFEFF\uFEFF${good}`, /not valid JSON/],
    ['NaN', '{"documents":[{"id":"a","text":"long enough text","x":NaN}]}', /not valid JSON/],
    ['Infinity', '{"documents":[{"id":"a","text":"long enough text","x":-Infinity}]}', /not valid JSON/],
    ['single quotes', "{'documents':[]}", /not valid JSON/],
    ['a comment', `/* hello */${good}`, /not valid JSON/],
    ['a trailing comma', '{"documents":[{"id":"a","text":"long enough text"},]}', /not valid JSON/],
    ['a raw line end in a string', '{"documents":[{"id":"a","text":"long\nenough text"}]}', /not valid JSON/],
    ['an escape that is none', String.raw`{"documents":[{"id":"a","text":"\x41 long enough"}]}`, /not valid JSON/],
    ['hexadecimal', '{"documents":0x10}', /not valid JSON/],
    ['blanks only', '   ', /not valid JSON/],
    ['nothing', '', /empty/],
    ['null', 'null', /must be an object/],
    ['a list', '[]', /must be an object/],
    ['a word', '"documents"', /must be an object/],
    ['a number', '17', /must be an object/],
    ['form fields', 'documents=1', /not valid JSON/],
    ['YAML', 'documents:\n  - id: a', /not valid JSON/],
  ]
  it.each(bad)('%s is refused', async (_name, raw, says) => {
    await refused(scene.api, upload, { params: scene.text, raw }, { says })
  })

  it('repeats no part of a body that can’t be read', async () => {
    const { message } = await refused(scene.api, upload, { params: scene.text, raw: '{"documents": hunter2hunter2}' })
    expect(message).not.toContain('hunter2')
  })

  it('must be announced as JSON in UTF-8, not compressed', async () => {
    const announced: readonly (readonly [Record<string, string | null>, RegExp])[] = [
      [{ 'content-type': 'text/plain' }, /application\/json/],
      [{ 'content-type': 'application/jsonp' }, /application\/json/],
      [{ 'content-type': 'multipart/form-data; boundary=x' }, /application\/json/],
      [{ 'content-type': 'application/json; charset=utf-16' }, /UTF-8/],
      [{ 'content-type': 'application/json; charset=iso-8859-1' }, /UTF-8/],
      [{ 'content-encoding': 'gzip' }, /uncompressed/],
      [{ 'content-encoding': 'br' }, /uncompressed/],
    ]
    for (const [header, says] of announced)
      await refused(scene.api, upload, { params: scene.text, raw: good, headers: header }, { says })
    for (const type of [
      'application/json;charset=UTF-8',
      'Application/JSON ; charset="utf-8"',
      'application/json; x=y',
    ]) {
      await scene.api.call(upload, { params: scene.text, raw: good, headers: { 'content-type': type } }, 202)
    }
    const bare = await httpCall(scene.story.target.url, {
      method: 'POST',
      path: path(),
      headers: { 'x-api-key': scene.member.apiKey },
      body: [good],
    })
    checkAnswer(upload, bare)
    expect(bare.status).toBe(400)
  })

  it('may begin with a byte order mark, and the last of a repeated key counts', async () => {
    await scene.api.call(upload, { params: scene.text, raw: `\uFEFF${good}` }, 202)
    const raw = `{"documents":[],"documents":[{"id":"first","id":"twice","text":"x","text":${JSON.stringify(longText)},"k":1,"k":2}]}`
    const { body } = await scene.api.call(upload, { params: scene.text, raw }, 202)
    expect(body.submitted_ids).toEqual(['twice'])
    const got = await scene.api.call(operations.getDocuments, { params: scene.text, body: { ids: ['twice'] } }, 200)
    expect(got.body.items).toEqual([{ id: 'twice', text: longText, metadata: { k: 2 } }])
  })

  it('is refused alike by every operation that reads a body', async () => {
    const accountId = scene.member.accountId
    const readers = [
      [scene.api, operations.createNamespace, {}],
      [scene.api, operations.uploadDocuments, scene.text],
      [scene.api, operations.getDocuments, scene.text],
      [scene.api, operations.deleteDocuments, scene.text],
      [scene.api, operations.uploadVectors, scene.vectors],
      [scene.api, operations.deleteVectors, scene.vectors],
      [scene.api, operations.search, {}],
      [scene.story.admin, operations.createAccount, {}],
      [scene.story.admin, operations.updateAccount, { account_id: accountId }],
      [scene.story.admin, operations.createKey, { account_id: accountId }],
      [scene.story.admin, operations.updateKey, { key_id: scene.member.keyId }],
    ] as const
    for (const [api, operation, params] of readers) {
      for (const raw of ['{', 'null', '[]', '""', '{}', '{"a":NaN}', '['.repeat(100)])
        await refused(api, operation, { params, raw })
      await refused(api, operation, { params, raw: padded(tenMegabytes + 1) }, { status: 413 })
      await refused(api, operation, { params, raw: '{}', headers: { 'content-type': 'text/plain' } })
    }
  })
})
