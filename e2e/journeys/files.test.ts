import { operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import { formOf } from '../client.ts'
import { useTarget } from '../story.ts'

const story = useTarget()

const types = [
  ['pdf', 'application/pdf'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['json', 'application/json'],
  ['txt', 'text/plain'],
  ['csv', 'text/csv'],
  ['md', 'text/markdown'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['eml', 'message/rfc822'],
  ['epub', 'application/epub+zip'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['tiff', 'image/tiff'],
  ['tif', 'image/tiff'],
  ['webp', 'image/webp'],
] as const

const put = (url: string, body: string, type: string, method = 'PUT') =>
  fetch(url, { method, body, headers: { 'content-type': type }, signal: AbortSignal.timeout(20_000) })

const scene = async () => {
  const { api, accountId, name: namespace_name } = await story.room()
  const params = { namespace_name }
  const grant = async (file_name: string) =>
    (await api.call(operations.createUploadUrl, { params, body: { file_name } }, 200)).body
  const upload = async (name: string, text: string) =>
    (await api.call(operations.uploadFile, { params, ...(await formOf(name, text)) }, 200)).body
  const { files } = api.sdk
  const list = async () => (await files.list(namespace_name)).files
  const remove = (names: readonly string[]) => files.delete(namespace_name, names)
  const status = (name: string) => files.status(namespace_name, name)
  return { api, accountId, namespace_name, params, grant, upload, list, remove, status }
}

describe('files', () => {
  it('come in by an address of their own, are listed, and go', async () => {
    const { accountId, namespace_name, grant, list, remove, status } = await scene()
    expect(await list()).toEqual([])
    for (const [extension, type] of types) {
      const name = `folder/a file.${extension}`
      const { upload_url, ...granted } = await grant(name)
      expect(granted).toMatchObject({ content_type: type, expires_in: 900, method: 'PUT' })
      expect(granted.key).toMatch(/^[a-z0-9-]+\/ns_\w+\//)
      expect(granted.key.endsWith(`/${accountId}/${namespace_name}/${name}`)).toBe(true)
      expect(await status(name)).toMatchObject({ state: 'awaiting_upload' })
      expect((await put(upload_url, `text of ${extension}`, type)).status).toBe(200)
    }
    const files = await list()
    expect(files.map(({ file_name }) => file_name).toSorted()).toEqual(
      types.map(([extension]) => `folder/a file.${extension}`).toSorted(),
    )
    for (const { file_name, size, last_modified } of files) {
      expect(size).toBe(`text of ${file_name.split('.')[1]}`.length)
      expect(last_modified).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
    const names = files.map(({ file_name }) => file_name)
    const results = await remove([...names, 'gone.txt'])
    expect(results).toEqual([
      ...names.map((file_name) => ({ file_name, status: 'deleted', message: 'File deletion initiated successfully' })),
      { file_name: 'gone.txt', status: 'error', message: 'File not found' },
    ])
    expect(await list()).toEqual([])
  })

  it('come in as a form', async () => {
    const { namespace_name, upload, list, status } = await scene()
    expect(await upload('Größe & "Maß".md', '# A title\n\nAnd some text.')).toEqual({
      success: true,
      message: expect.any(String),
      namespace: namespace_name,
      fileName: 'Größe & "Maß".md',
      fileSize: 25,
    })
    expect(await list()).toMatchObject([{ file_name: 'Größe & "Maß".md', size: 25 }])
    expect(['queued', 'processing', 'completed']).toContain((await status('Größe & "Maß".md')).state)
  })

  it('come in in parts', async () => {
    const { api, namespace_name, params, list } = await scene()
    const file_name = 'large.csv'
    const content = new Blob(['a,b\n1,2\n'])
    await api.sdk.files.upload(namespace_name, content, { name: file_name, method: 'multipart' })
    expect(await list()).toMatchObject([{ file_name, size: 8 }])
    await api.call(operations.abortMultipartUpload, { params, body: { file_name, upload_id: 'unknown' } }, 404)
  })

  it('are refused by an address that is not theirs, in XML', async () => {
    const { grant, list } = await scene()
    const { upload_url } = await grant('a.txt')
    const altered = [
      put(upload_url, 'text', 'text/html'),
      put(upload_url, 'text', 'text/plain', 'POST'),
      put(upload_url.replace('/a.txt?', '/b.txt?'), 'text', 'text/plain'),
      put(upload_url.replace(/(signature=)./i, '$1!'), 'text', 'text/plain'),
    ]
    for (const answer of await Promise.all(altered)) {
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expect(await answer.text()).toMatch(/<Error>.*<Code>\w+<\/Code>/s)
    }
    expect(await list()).toEqual([])
  })

  it('are seen and deleted by their account alone', async () => {
    const { params, upload, list } = await scene()
    await upload('a.txt', 'some text')
    const { api: other } = await story.member()
    await other.call(operations.listFiles, { params }, 404)
    await other.call(operations.createUploadUrl, { params, body: { file_name: 'a.txt' } }, 404)
    await other.call(operations.uploadFile, { params, ...(await formOf('b.txt', 'text')) }, 404)
    await other.call(operations.deleteFiles, { params, body: { file_name: 'a.txt' } }, 404)
    await other.call(operations.getFileStatus, { params: { ...params, file_name: 'a.txt' } }, 404)
    await story.visitor.call(operations.listFiles, { params }, 401)
    expect(await list()).toMatchObject([{ file_name: 'a.txt' }])
  })

  it('are refused with the reason in the one field that file endpoints have', async () => {
    const { api, params } = await scene()
    const missing = await api.call(operations.createUploadUrl, { params, body: {} }, 400)
    expect(missing.body).toEqual({
      error: expect.stringMatching(/^file_name is required/),
      request_id: expect.any(String),
    })
    const type = await api.call(operations.createUploadUrl, { params, body: { file_name: 'a.exe' } }, 400)
    expect(type.body.error).toMatch(/\.exe is not supported.*\.pdf, \.docx, \.xlsx, \.json, \.txt, \.csv, \.md/)
    await api.call(operations.uploadFile, { params, ...(await formOf('../a.txt', 'text')) }, 400)
    await api.call(operations.deleteFiles, { params }, 400)
    const large = await api.call(
      operations.uploadFile,
      { params, ...(await formOf('a.txt', 'x'.repeat(10 * 1024 * 1024 + 1))) },
      413,
    )
    expect(large.body.error).toMatch(/10 MB/)
  })
})
