import { allMultiparts } from '@cairn/adapters/file-store/contract/store.fixture'
import { AppError } from '@cairn/contracts/errors'
import { describe, expect, it } from 'vitest'
import { expectDeprecated, useGateway } from './gateway-scene.fixture.ts'

const gateway = useGateway()
const strict = useGateway({ legacyCamelCase: false })

const deleted = (file_name: string) => ({
  file_name,
  status: 'deleted',
  message: 'File deletion initiated successfully',
})
const absent = (file_name: string) => ({ file_name, status: 'error', message: 'File not found' })

const scene = async (names: readonly string[] = []) => {
  const space = await gateway().open()
  for (const name of names) await space.upload(name, 'text')
  return space
}

describe('delete-file', () => {
  it('deletes a file with all there is of it, and says so', async () => {
    const { json, namespace, namespaceId, record, grant, key } = await scene(['a.txt', 'b.txt'])
    const { status, body, headers } = await json('DELETE', 'delete-file', { file_name: 'a.txt' })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        message: expect.stringContaining('process completed'),
        namespace,
        results: [deleted('a.txt')],
      },
    })
    expect(headers.get('deprecation')).toBeNull()
    expect(await record('a.txt')).toBeUndefined()
    expect(await grant('a.txt')).toMatchObject({ state: 'revoked' })
    expect(await gateway().files.head(key('a.txt'))).toBeUndefined()
    expect(await record('b.txt')).toBeDefined()
    const { key: deletionId } = gateway().sent.at(-1) ?? {}
    expect(gateway().sent.at(-1)).toMatchObject({ type: 'deletion.requested', data: { namespaceId, deletionId } })
    expect(await gateway().store.deletions.get(String(deletionId))).toMatchObject({
      target: 'file',
      file: { name: 'a.txt', key: key('a.txt') },
    })
  })

  it('takes little time for names of combining marks', async () => {
    const { json } = await scene()
    const names = [
      '\u0301\u0323'.repeat(500_000),
      ...Array.from({ length: 900 }, (_, index) => `${'\u0301\u0323'.repeat(1_000)}${index}`),
    ]
    const from = performance.now()
    const { status, body } = await json('DELETE', 'delete-file', { file_names: names })
    expect({ status, results: body['results'] }).toEqual({ status: 200, results: names.map(absent) })
    expect(performance.now() - from).toBeLessThan(1_500)
  })

  it('takes the names of body and query together, each once and in their order', async () => {
    const { call } = await scene(['a.txt', 'b.txt', 'c.txt', 'd.txt', 'Caf\u00e9.txt'])
    const { body } = await call('DELETE', 'delete-file?file_name=c.txt&file_name=d.txt&file_name=a.txt', {
      body: JSON.stringify({
        file_name: 'a.txt',
        file_names: ['b.txt', 'gone.txt', 'a.txt', 'Cafe\u0301.txt', 'Caf\u00e9.txt'],
      }),
      headers: { 'content-type': 'application/json' },
    })
    expect(body['results']).toEqual([
      deleted('a.txt'),
      deleted('b.txt'),
      absent('gone.txt'),
      deleted('Cafe\u0301.txt'),
      deleted('c.txt'),
      deleted('d.txt'),
    ])
  })

  it.each([{}, { headers: { 'content-type': 'text/plain' } }, { headers: { 'content-type': 'application/json' } }])(
    'needs no body where the query names a file (%j)',
    async (init) => {
      const { call } = await scene(['a b/c.txt'])
      const { status, body } = await call('DELETE', 'delete-file?file_name=a%20b/c.txt', init)
      expect({ status, results: body['results'] }).toEqual({ status: 200, results: [deleted('a b/c.txt')] })
    },
  )

  it.each<[string, string | undefined]>([
    ['nothing', undefined],
    ['an empty object', '{}'],
    ['empty names', '{"file_name":"","file_names":[""]}'],
    ['an empty list', '{"file_names":[]}'],
    ['a name that is no text', '{"file_name":7}'],
    ['a list of what is no text', '{"file_names":[{}]}'],
    ['a name in place of the list', '{"file_names":"a.txt"}'],
    ['malformed JSON', '{"file_name":'],
  ])('refuses %s with 400', async (_, body) => {
    const { call } = await scene()
    const init = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }
    const answer = await call('DELETE', 'delete-file', init)
    expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String), request_id: expect.any(String) } })
  })

  it('refuses a body that is not announced as JSON', async () => {
    const { call } = await scene()
    expect(
      await call('DELETE', 'delete-file', { body: '{"file_name":"a.txt"}', headers: { 'content-type': 'text/plain' } }),
    ).toMatchObject({ status: 400 })
  })

  it.each([
    [999, 1, 200],
    [1_000, 0, 200],
    [1_000, 1, 400],
    [1_001, 0, 400],
  ])('answers %i names in the body and %i in the query with %i', async (inBody, inQuery, status) => {
    const { call } = await scene()
    const file_names = Array.from({ length: inBody }, (_, index) => `f${index}.txt`)
    const answer = await call('DELETE', `delete-file${inQuery === 0 ? '' : '?file_name=q.txt'}`, {
      body: JSON.stringify({ file_names }),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(status)
    if (status === 200) expect(answer.body['results']).toHaveLength(inBody + inQuery)
  })

  it.each(['../x.txt', 'a.exe', '/etc/passwd', 'a\\b.txt', 'a\u0000.txt', 'x'.repeat(5_000)])(
    'does not find what can be no file: %j',
    async (name) => {
      const { json } = await scene()
      expect((await json('DELETE', 'delete-file', { file_names: [name, ''] })).body['results']).toEqual([
        absent(name),
        absent(''),
      ])
    },
  )

  it('withdraws the address of a file that has not arrived', async () => {
    const { json, grant } = await scene()
    await json('POST', 'upload-url', { file_name: 'a.txt' })
    expect((await json('DELETE', 'delete-file', { file_name: 'a.txt' })).body['results']).toEqual([absent('a.txt')])
    expect(await grant('a.txt')).toMatchObject({ state: 'revoked' })
  })

  it('gives up an upload in parts of the file', async () => {
    const { json, key } = await scene()
    await json('POST', 'upload-multipart', { file_name: 'a.txt' })
    expect(await allMultiparts(gateway().files, key('a.txt'))).toHaveLength(1)
    await json('DELETE', 'delete-file', { file_name: 'a.txt' })
    expect(await allMultiparts(gateway().files, key('a.txt'))).toEqual([])
  })

  it('deletes an object that was not taken in yet', async () => {
    const { json, key } = await scene()
    await json('POST', 'upload-url', { file_name: 'a.txt' })
    await gateway().files.put(key('a.txt'), Buffer.from('x'), { contentType: 'text/plain' })
    expect((await json('DELETE', 'delete-file', { file_name: 'a.txt' })).body['results']).toEqual([deleted('a.txt')])
    expect(await gateway().files.head(key('a.txt'))).toBeUndefined()
  })

  it('finds a file only once', async () => {
    const { json } = await scene(['a.txt'])
    await json('DELETE', 'delete-file', { file_name: 'a.txt' })
    expect((await json('DELETE', 'delete-file', { file_name: 'a.txt' })).body['results']).toEqual([absent('a.txt')])
  })

  it('takes the earlier names, says that they go, and answers with them too', async () => {
    const { json } = await scene(['a.txt', 'b.txt'])
    const { body, headers } = await json('DELETE', 'delete-file', { fileName: 'a.txt', fileNames: ['b.txt'] })
    expect(body['results']).toEqual([
      { ...deleted('a.txt'), fileName: 'a.txt' },
      { ...deleted('b.txt'), fileName: 'b.txt' },
    ])
    expectDeprecated(headers)
  })

  it('takes the earlier name in the query, too, and both forms together', async () => {
    const { call } = await scene(['a.txt', 'b.txt', 'c.txt'])
    const { body, headers } = await call('DELETE', 'delete-file?fileName=a.txt&file_name=b.txt', {
      body: JSON.stringify({ fileNames: ['c.txt', 'b.txt'] }),
      headers: { 'content-type': 'application/json' },
    })
    const results = body['results'] as { readonly file_name: string; readonly status: string }[]
    expect(results.map(({ file_name, status }) => [file_name, status]).toSorted()).toEqual([
      ['a.txt', 'deleted'],
      ['b.txt', 'deleted'],
      ['c.txt', 'deleted'],
    ])
    expectDeprecated(headers)
  })

  it.each<[string, string, unknown]>([
    ['that are empty', 'delete-file', { fileName: '', fileNames: [''] }],
    ['beside a present one that is no text', 'delete-file', { fileName: 'a.txt', file_name: 7 }],
    ['that are no list', 'delete-file?fileName=a.txt', { fileNames: 'b.txt' }],
  ])('says that the earlier names go also when it refuses some %s', async (_, path, sent) => {
    const { json, record } = await scene(['a.txt'])
    const answer = await json('DELETE', path, sent)
    expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) } })
    expectDeprecated(answer.headers)
    expect(await record('a.txt')).toBeDefined()
  })

  it('says that the earlier names go also where there is no such namespace', async () => {
    const [mine, theirs] = [await scene(), await scene()]
    const answer = await mine.call('DELETE', 'delete-file?fileName=a.txt', { headers: { 'x-api-key': theirs.apiKey } })
    expect(answer.status).toBe(404)
    expectDeprecated(answer.headers)
  })

  it('does not take the earlier names where that is switched off', async () => {
    const { json } = await strict().open()
    expect(await json('DELETE', 'delete-file', { fileName: 'a.txt' })).toMatchObject({ status: 400 })
  })

  it('leaves the object to the deletion when the store is away', async () => {
    const { json, record } = await scene(['a.txt'])
    const { between, files } = gateway()
    between.files = { ...files, remove: () => Promise.reject(new AppError('unavailable', 'away')) }
    try {
      expect((await json('DELETE', 'delete-file', { file_name: 'a.txt' })).body['results']).toEqual([deleted('a.txt')])
    } finally {
      between.files = files
    }
    expect(await record('a.txt')).toBeUndefined()
  })

  it('says which files could not be deleted when a store goes away, and answers 503 when none could', async () => {
    const { json } = await scene(['a.txt'])
    const { between, files } = gateway()
    between.files = { ...files, head: () => Promise.reject(new AppError('unavailable', 'away')) }
    try {
      const { status, body } = await json('DELETE', 'delete-file', { file_names: ['a.txt', 'b.txt'] })
      expect(status).toBe(200)
      expect(body['results']).toMatchObject([
        { status: 'deleted' },
        { status: 'error', message: expect.stringContaining('try again') },
      ])
      expect(await json('DELETE', 'delete-file', { file_names: ['b.txt', 'c.txt'] })).toMatchObject({
        status: 503,
        body: { error: 'away' },
      })
    } finally {
      between.files = files
    }
  })

  it('finds files of its own account alone', async () => {
    const [mine, theirs] = [await scene(['a.txt']), await scene()]
    const headers = { 'x-api-key': theirs.apiKey }
    expect(await mine.call('DELETE', 'delete-file?file_name=a.txt', { headers })).toMatchObject({ status: 404 })
    expect(await mine.record('a.txt')).toBeDefined()
  })
})
