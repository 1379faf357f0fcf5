import { describe, expect, it } from 'vitest'
import { put, useGateway } from './gateway-scene.fixture.ts'

const gateway = useGateway()

const names = [
  'with spaces  and   more.txt',
  ' leading and trailing .txt',
  'plus+and&and=and;.txt',
  '100% sure %41 %2F %00.txt',
  'hash#tag?query=1.txt',
  `"double" 'single' \`back\`.txt`,
  '<b>&amp;</b>.txt',
  '{curly}[square](round).txt',
  '~user/$HOME/*.txt',
  'a:b|c^d@e!.txt',
  'fold.er/..dots../a...txt',
  'Ünïcödé/文件/🗿.txt',
  'مرحبا \u202E txt.txt',
  'zero\u200Bwidth\u00A0space.txt',
]

describe.each(names)('a file called %j', (name) => {
  it.each(['body', 'query'] as const)(
    'has one address, one line in the listing, one state, and is deleted by its name in the %s',
    async (where) => {
      const { json, call, key } = await gateway().open()
      const { status, body } = await json('POST', 'upload-url', { file_name: name })
      expect({ status, key: body['key'] }).toEqual({ status: 200, key: key(name) })
      expect(await put(String(body['upload_url']), 'some text')).toMatchObject({ status: 200 })
      expect((await call('GET', 'list-files')).body).toMatchObject({
        file_count: 1,
        files: [{ file_name: name, size: 9 }],
      })
      expect((await call('GET', `files/${encodeURIComponent(name)}/status`)).body).toMatchObject({
        file_name: name,
        state: 'queued',
      })
      const deleted =
        where === 'body'
          ? await json('DELETE', 'delete-file', { file_names: [name] })
          : await call('DELETE', `delete-file?${new URLSearchParams({ file_name: name })}`)
      expect(deleted.body['results']).toEqual([
        { file_name: name, status: 'deleted', message: 'File deletion initiated successfully' },
      ])
      expect((await call('GET', 'list-files')).body).toMatchObject({ file_count: 0, files: [] })
    },
  )

  it('comes as a form under the same name', async () => {
    const { upload, call } = await gateway().open()
    expect(await upload(name, 'some text')).toMatchObject({ status: 200, body: { fileName: name, fileSize: 9 } })
    expect((await call('GET', 'list-files')).body).toMatchObject({ files: [{ file_name: name, size: 9 }] })
  })
})

it('reads a plus sign in a query as a space, as forms write it, and %2B as the sign', async () => {
  const { upload, call } = await gateway().open()
  for (const name of ['a+b.txt', 'a b.txt', 'a%2Bb.txt']) await upload(name, 'text')
  const left = async (query: string) => {
    await call('DELETE', `delete-file?file_name=${query}`)
    const files = (await call('GET', 'list-files')).body['files'] as readonly { readonly file_name: string }[]
    return files.map(({ file_name }) => file_name)
  }
  expect(await left('a+b.txt')).toEqual(['a%2Bb.txt', 'a+b.txt'])
  expect(await left('a%2Bb.txt')).toEqual(['a%2Bb.txt'])
  expect(await left('a%252Bb.txt')).toEqual([])
})

it('keeps apart names that differ in case, in spaces, or in how they look', async () => {
  const { upload, call } = await gateway().open()
  const apart = ['a.txt', 'A.txt', 'a.TXT', 'a .txt', 'а.txt', 'a.txt.txt']
  for (const [index, name] of apart.entries()) await upload(name, 'x'.repeat(index + 1))
  const files = (await call('GET', 'list-files')).body['files'] as readonly {
    readonly file_name: string
    readonly size: number
  }[]
  expect(Object.fromEntries(files.map(({ file_name, size }) => [file_name, size]))).toEqual(
    Object.fromEntries(apart.map((name, index) => [name, index + 1])),
  )
})
