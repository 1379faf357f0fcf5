import { operations } from '@cairn/contracts/api/operations'
import { expect, it } from 'vitest'
import { createNamespace, index, useTarget } from '../story.ts'

const story = useTarget()

it('what failed for a permanent reason is refused with the remedy, and retried if the reason is named', async () => {
  const { api } = await story.member()
  const params = { namespace_name: await createNamespace(api) }
  const { file_name } = await api.sdk.files.upload(params.namespace_name, new Blob(['   ']), { name: 'blank.txt' })
  const state = () => api.sdk.waitFor.file(params.namespace_name, file_name, { timeoutMs: 60_000 })
  const first = await state()
  expect(first).toMatchObject({ state: 'failed', reason: 'no_text' })

  const retry = async (body: object, status: 200 | 202) =>
    (await api.call(operations.retryFailed, { params, body }, status)).body
  expect(await retry({}, 200)).toMatchObject({
    files: 0,
    refused: [{ kind: 'files', reason: 'no_text', count: 1, remedy: first.remedy }],
  })
  expect(await retry({ reason: ['no_text'], dry_run: true }, 200)).toMatchObject({ files: 1, file_names: [file_name] })
  expect(await retry({ reason: ['no_text'], kind: 'files' }, 202)).toMatchObject({ files: 1, has_more: false })
  expect(await state()).toMatchObject({ state: 'failed', reason: 'no_text', attempts: first.attempts + 1 })
})

it('what did not fail is not retried, and a repeated request with a key is answered once', async () => {
  const { api, name } = await story.room()
  const { upload_id: uploadId } = await index(api, name, [{ id: 'a', text: 'A document that is long enough.' }])
  const params = { namespace_name: name, upload_id: uploadId }
  const body = { documents: 0, files: 0, upload_ids: [], refused: [], has_more: false, next_token: null }
  expect((await api.call(operations.retryUpload, { params }, 200)).body).toMatchObject(body)
  const sent = { params: { namespace_name: name }, body: { ids: ['a'] }, headers: { 'idempotency-key': 'once' } }
  const first = await api.call(operations.retryFailed, sent, 200)
  expect(first.body).toMatchObject(body)
  expect((await api.call(operations.retryFailed, sent, 200)).body).toEqual(first.body)
})
