import { extractionVersion } from '@cairn/domain/files/extraction-version'
import { describe, expect, it } from 'vitest'
import { useGateway } from './gateway-scene.fixture.ts'

const gateway = useGateway()

const scene = async (name = 'folder/a b.txt') => {
  const space = await gateway().open()
  const at = (rest: string) => `files/${encodeURIComponent(name)}/${rest}`
  const status = () => space.call('GET', at('status'))
  const retry = (body?: unknown) =>
    body === undefined ? space.call('POST', at('retry')) : space.json('POST', at('retry'), body)
  const taken = async () => {
    const file = await space.record(name)
    const leased = file && (await gateway().store.files.lease(file.id, 'token'))
    if (!leased) throw new Error('the file is not to be had')
    return { lease: { jobId: leased.id, token: 'token' }, version: leased.version }
  }
  const { files } = gateway().store
  const finish = async ({ lease, version }: Awaited<ReturnType<typeof taken>>, chunks: number, extraction = 1) => {
    await files.publish(lease, { version, chunks, summaries: 1, extraction, limit: null })
    await files.complete(lease, { times: { reading: 1_500 }, at: gateway().now() })
  }
  const fail = async ({ lease, version }: Awaited<ReturnType<typeof taken>>, reason: string) => {
    await files.fail(lease, { version, reason, message: 'It is so.', at: gateway().now() })
    await files.complete(lease, { times: {}, at: gateway().now() })
  }
  return { ...space, name, status, retry, taken, finish, fail, files }
}

describe('the state of a file', () => {
  it('is awaiting_upload from the address on, and says when that has expired', async () => {
    const { json, status, name, namespace } = await scene()
    expect(await status()).toMatchObject({ status: 404, body: { error: 'File not found' } })
    await json('POST', 'upload-url', { file_name: name })
    const upload_expires_at = new Date(gateway().now() + 900_000).toISOString()
    expect(await status()).toMatchObject({
      status: 200,
      body: {
        file_name: name,
        namespace,
        state: 'awaiting_upload',
        stage: null,
        size: null,
        upload_expires_at,
        remedy: expect.stringContaining('PUT'),
      },
    })
    gateway().pass(900_000)
    for (const ms of [0, 23 * 3_600_000]) {
      gateway().pass(ms)
      expect((await status()).body).toMatchObject({
        state: 'awaiting_upload',
        message: expect.stringContaining('expired'),
        remedy: expect.stringMatching(/began before is still accepted.* If it failed .*new upload_url/),
      })
    }
  })

  it('asks for the file again when a form has failed', async () => {
    const { call, status, name } = await scene()
    const form = new FormData()
    form.append('file', new Blob(['first']), name)
    form.append('file', new Blob(['second']), name)
    expect(await call('POST', 'upload-file', { body: form })).toMatchObject({ status: 400 })
    expect((await status()).body).toMatchObject({
      state: 'awaiting_upload',
      remedy: expect.stringContaining('upload it again'),
    })
  })

  it('is queued, processing with its progress, and completed with what came of it', async () => {
    const { upload, status, name, taken, files, finish, record } = await scene()
    await upload(name, 'text')
    expect((await status()).body).toMatchObject({
      state: 'queued',
      stage: 'waiting',
      size: 4,
      etag: expect.any(String),
      attempts: 0,
      chunks: 0,
      chunk_id_prefix: null,
      reason: null,
      remedy: null,
      upload_expires_at: null,
      previous_version_searchable: false,
      next_attempt_at: expect.any(String),
    })
    const work = await taken()
    const at = { sheet: 'Costs', rows: { from: 7, to: 9 }, pageTitle: 'Part' }
    const notes = [
      { code: 'row_unreadable', message: 'row 7 was left out' },
      { code: 'value_cut', message: 'a cell was cut', at },
    ]
    await files.recordProgress(work.lease, {
      version: work.version,
      set: { stage: 'reading', progress: { page: 3, pages: 9 }, notes },
      at: gateway().now(),
    })
    expect((await status()).body).toMatchObject({
      state: 'processing',
      stage: 'reading',
      progress: { page: 3, pages: 9 },
      attempts: 1,
      notes: [
        notes[0],
        {
          code: 'value_cut',
          message: 'a cell was cut',
          place: { sheet: 'Costs', row_from: 7, row_to: 9, page_title: 'Part' },
        },
      ],
      next_attempt_at: null,
    })
    await finish(work, 5)
    expect((await status()).body).toMatchObject({
      state: 'completed',
      stage: 'done',
      chunks: 5,
      chunk_id_prefix: `${(await record(name))?.idBase}_chunk_`,
      summaries: 1,
      reason: null,
      finished_at: expect.any(String),
      timings: { reading: 1.5 },
    })
  })

  it('stays in processing while its job is queued for the next step, in the status and in both lists', async () => {
    const { upload, status, name, taken, finish, files, call } = await scene()
    await upload(name, 'text')
    const states = async () => [
      (await status()).body['state'],
      ...(await Promise.all(['list-files', 'files'].map((list) => call('GET', list)))).flatMap(({ body }) =>
        (body['files'] as { readonly state: string }[]).map(({ state }) => state),
      ),
    ]
    expect(await states()).toEqual(['queued', 'queued', 'queued'])
    await files.requeue((await taken()).lease, { delayMs: 0, error: null, counted: false, waits: true })
    expect(await states()).toEqual(['processing', 'processing', 'processing'])
    expect((await status()).body).toMatchObject({ next_attempt_at: expect.any(String) })
    await finish(await taken(), 5)
    expect(await states()).toEqual(['completed', 'completed', 'completed'])
  })

  it('is failed with a reason and what can be done, while what was there before stays searchable', async () => {
    const { upload, status, name, taken, finish, fail } = await scene()
    await upload(name, 'text')
    await finish(await taken(), 5)
    gateway().pass(1_000)
    await upload(name, 'other')
    expect((await status()).body).toMatchObject({ state: 'queued', previous_version_searchable: true, chunks: 5 })
    await fail(await taken(), 'encrypted')
    expect((await status()).body).toMatchObject({
      state: 'failed',
      reason: 'encrypted',
      message: 'It is so.',
      remedy: 'Remove its password or other protection and upload the file again.',
      retryable: false,
      previous_version_searchable: true,
      chunks: 5,
    })
  })

  it('says which version of the extraction has read it, and whether that is outdated', async () => {
    const { upload, status, name, taken, finish } = await scene()
    await upload(name, 'text')
    expect((await status()).body).toMatchObject({ extraction_version: null, outdated: false })
    await finish(await taken(), 5, extractionVersion - 1)
    expect((await status()).body).toMatchObject({ extraction_version: extractionVersion - 1, outdated: true })
    await upload(name, 'other')
    await finish(await taken(), 5, extractionVersion)
    expect((await status()).body).toMatchObject({ extraction_version: extractionVersion, outdated: false })
  })

  it('says when it is expected to end, once a file was completed', async () => {
    const { upload, status, call, name, taken, finish } = await scene()
    await upload(name, 'text')
    const work = await taken()
    gateway().pass(60_000)
    await finish(work, 5)
    expect((await status()).body['estimated_completion']).toBeNull()
    await upload(`another ${name}`, 'other')
    const expected = async () =>
      (await call('GET', `files/${encodeURIComponent(`another ${name}`)}/status`)).body['estimated_completion']
    // The queue is read once a second.
    await expect.poll(expected, { timeout: 10_000 }).not.toBeNull()
    expect(Date.parse(String(await expected()))).toBeGreaterThan(gateway().now())
  })

  it('says when the same bytes came again', async () => {
    const { upload, status, name } = await scene()
    await upload(name, 'text')
    gateway().pass(1_000)
    await upload(name, 'text')
    expect((await status()).body['unchanged_at']).toBe(new Date(gateway().now()).toISOString())
  })

  it.each(['a.exe', '../a.txt', 'a\\b.txt', '\u0001.txt'])('is not found for what can be no file: %j', async (name) => {
    const { status } = await scene(name)
    expect(await status()).toMatchObject({
      status: 404,
      body: { error: 'File not found', request_id: expect.any(String) },
    })
  })

  it('is not found once the file is deleted, nor by others', async () => {
    const { upload, json, status, name, call } = await scene()
    await upload(name, 'text')
    const other = await gateway().open()
    const headers = { 'x-api-key': other.apiKey }
    expect(await call('GET', `files/${encodeURIComponent(name)}/status`, { headers })).toMatchObject({ status: 404 })
    await json('DELETE', 'delete-file', { file_name: name })
    expect(await status()).toMatchObject({ status: 404, body: { error: 'File not found' } })
  })
})

describe('retrying a file', () => {
  it('has it read once more with other options, when it is finished', async () => {
    const { upload, retry, name, taken, fail, record } = await scene()
    expect(await retry()).toMatchObject({ status: 404, body: { error: 'File not found' } })
    await upload(name, 'text')
    expect(await retry()).toMatchObject({ status: 409, body: { error: expect.stringContaining('being processed') } })
    const work = await taken()
    expect(await retry({})).toMatchObject({ status: 409 })
    await fail(work, 'no_text')
    const options = { ocr: true, languages: ['eng', 'chi_sim', 'eng'], encoding: 'windows-1252' }
    const before = gateway().sent.length
    const kept = { ...options, languages: ['eng', 'chi_sim'] }
    expect(await retry(options)).toMatchObject({ status: 202, body: { state: 'queued', reason: null, options: kept } })
    const file = await record(name)
    expect(file).toMatchObject({ state: 'queued', options: kept })
    expect(file?.version).not.toBe(work.version)
    expect(gateway().sent.slice(before)).toMatchObject([{ type: 'file.stored', key: file?.id }])
    expect(await retry()).toMatchObject({ status: 409 })
  })

  it('needs no body', async () => {
    const { upload, retry, name, taken, finish } = await scene()
    await upload(name, 'text')
    await finish(await taken(), 1)
    expect(await retry()).toMatchObject({
      status: 202,
      body: { options: {}, chunks: 1, previous_version_searchable: true },
    })
  })

  it.each<unknown>([
    { ocr: 'yes' },
    { languages: [] },
    { languages: ['../eng'] },
    { languages: 'eng' },
    { languages: ['eng', 'deu', 'fra', 'spa', 'ita', 'por'] },
    { encoding: '' },
    { encoding: 'utf-8; rm' },
    [],
    'text',
  ])('refuses the options %j', async (options) => {
    const { upload, retry, name } = await scene()
    await upload(name, 'text')
    expect(await retry(options)).toMatchObject({ status: 400 })
  })
})

describe('retrying the files that failed', () => {
  const answered = { files: 0, documents: 0, refused: [], has_more: false }

  it('processes them again with their options, those of permanent reasons only if these are named', async () => {
    const { upload, json, retry, name, taken, fail, record } = await scene('crashed.txt')
    await upload(name, 'text')
    await fail(await taken(), 'internal')
    await retry({ ocr: false })
    await fail(await taken(), 'crashed_worker')
    const version = (await record(name))?.version
    await upload('encrypted.txt', 'text')
    const encrypted = await record('encrypted.txt')
    await gateway().store.files.lease(encrypted?.id ?? '', 'other')
    await fail(
      { lease: { jobId: encrypted?.id ?? '', token: 'other' }, version: encrypted?.version ?? '' },
      'encrypted',
    )

    const refused = [
      {
        kind: 'files',
        reason: 'encrypted',
        count: 1,
        message: 'The file is encrypted.',
        remedy: 'Remove its password or other protection and upload the file again.',
      },
    ]
    const some = { ...answered, files: 1, file_names: [name], refused }
    expect(await json('POST', 'retry', { dry_run: true })).toMatchObject({ status: 200, body: some })
    expect((await record(name))?.version).toBe(version)
    expect(await json('POST', 'retry', { kind: 'documents' })).toMatchObject({ status: 200, body: answered })
    const before = gateway().sent.length
    expect(await json('POST', 'retry', {})).toMatchObject({ status: 202, body: some })
    expect(gateway().sent.slice(before)).toMatchObject([{ type: 'file.stored' }])
    expect(await record(name)).toMatchObject({ state: 'queued', options: { ocr: false } })
    expect((await record(name))?.version).not.toBe(version)
    expect(await json('POST', 'retry', {})).toMatchObject({ status: 200, body: { files: 0, refused } })
    const named = { reason: ['encrypted'] }
    expect(await json('POST', 'retry', named)).toMatchObject({ status: 202, body: { ...answered, files: 1 } })
  })

  it('asks for a file whose bytes were removed', async () => {
    const { upload, json, name, taken, fail, files, record } = await scene('gone.txt')
    await upload(name, 'text')
    await fail(await taken(), 'internal')
    const file = await record(name)
    if (file) await files.recordBytesRemoved(file, gateway().now())
    expect(await json('POST', 'retry', {})).toMatchObject({
      status: 200,
      body: { files: 0, refused: [{ reason: 'internal', remedy: 'Its bytes were removed: upload the file again.' }] },
    })
  })
})
