import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Standalone, startStandalone } from '../../../e2e/target.ts'
import {
  type AnswerEvent,
  Cairn,
  type CairnError,
  type ContentEvent,
  type DocumentProgress,
  type FileStatus,
} from './index.ts'

/** Long, because a process starts and files are processed while other tests run. */
const patienceMs = 60_000

let server: Standalone
let cairn: Cairn
const folder = mkdtempSync(join(tmpdir(), 'cairn-client-'))
beforeAll(async () => {
  server = await startStandalone()
  cairn = new Cairn({ url: server.url, apiKey: server.apiKey })
}, patienceMs)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.stop()
})

let names = 0
const textNamespace = async (): Promise<string> => {
  names += 1
  const name = `notes-${names}`
  await cairn.namespaces.create(name)
  return name
}
const texts = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    id: `d${String(from + index).padStart(4, '0')}`,
    text: `Cairn number ${from + index} marks the path over the pass.`,
    year: 2000 + ((from + index) % 20),
  }))
const collect = async <T>(values: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}
/** Returns lines of text with a total size of `bytes`. */
const content = (bytes: number): string =>
  'A cairn marks the path over the pass.\n'.repeat(bytes / 38 + 1).slice(0, bytes)

describe('namespaces', { timeout: patienceMs }, () => {
  it('are created, listed, got and deleted, and their names are free afterwards', async () => {
    const name = await textNamespace()
    await cairn.namespaces.create('space', { type: 'vector', vector_dimension: 3 })
    expect((await cairn.namespaces.list()).map(({ namespace_name }) => namespace_name)).toEqual(
      expect.arrayContaining([name, 'space']),
    )
    expect(await cairn.namespaces.get('space')).toMatchObject({ type: 'vector', vector_dimension: 3, item_count: 0 })
    expect(await cairn.namespaces.get('none')).toBeUndefined()
    await cairn.documents.upload(name, texts(3), { wait: true })
    const deleting = await cairn.namespaces.delete(name)
    expect(deleting).toMatchObject({ status: 'pending' })
    expect(await cairn.waitFor.deletion(deleting.deletion_id)).toMatchObject({
      state: 'completed',
      removed: { items: 3 },
    })
    expect(await cairn.namespaces.deletion(deleting.deletion_id)).toMatchObject({ state: 'completed' })
    await cairn.namespaces.create(name)
    expect(await cairn.namespaces.get(name)).toMatchObject({ item_count: 0 })
  })

  it('are refused with the reason of the server', async () => {
    const name = await textNamespace()
    await expect(cairn.namespaces.create(name)).rejects.toMatchObject({
      name: 'CairnError',
      code: 'conflict',
      status: 409,
      requestId: expect.stringMatching(/^req_/),
      message: expect.stringContaining('already exists'),
    })
    await expect(cairn.namespaces.delete('..')).rejects.toMatchObject({ code: 'invalid', status: 0 })
    const stranger = new Cairn({ url: server.url, apiKey: 'nobody' })
    await expect(stranger.namespaces.list()).rejects.toMatchObject({ code: 'unauthenticated', status: 401 })
  })
})

describe('documents', { timeout: patienceMs }, () => {
  it('are uploaded in batches from an iterator, found, paged, got and deleted', async () => {
    const name = await textNamespace()
    const source = async function* () {
      yield* texts(120)
      yield { id: 'bad', text: 'short' }
    }
    const progress: DocumentProgress[] = []
    const uploaded = await cairn.documents.upload(name, source(), {
      batchSize: 25,
      wait: true,
      onProgress: (one) => progress.push(one),
    })
    expect(uploaded).toMatchObject({ accepted: 120, failed: [{ id: 'bad', error: 'Text content too short' }] })
    expect(uploaded.uploads).toHaveLength(5)
    // Five batches are accepted, then the state of each upload is reported until it is final.
    expect(progress.length).toBeGreaterThanOrEqual(10)
    expect(progress[0]).toMatchObject({ accepted: expect.any(Number), indexed: 0 })
    expect(progress.at(-1)).toEqual({ accepted: 120, failed: 1, indexed: 120 })

    const everywhere = await cairn.search({ query: 'cairn number 17', top_k: 100 })
    expect(everywhere.results).toContainEqual(expect.objectContaining({ id: 'd0017', namespace: name }))
    const found = await cairn.search({ query: 'cairn number 17', namespaces: [name], top_k: 3 })
    expect(found.results.map(({ id }) => id)).toContain('d0017')
    // @ts-expect-error: the types know no such field, and the server says that it was ignored.
    const misspelled = await cairn.search({ query: 'cairn number 17', namespaces: [name], topK: 3 })
    expect(misspelled.warnings).toEqual(['The field "topK" is unknown and was ignored; did you mean "top_k"?'])

    const paged = await collect(cairn.documents.page(name, { limit: 50 }))
    expect(paged.map(({ id }) => id)).toEqual(texts(120).map(({ id }) => id))
    expect(paged[3]).toMatchObject({ text: texts(4)[3]?.text, metadata: { year: 2003 } })
    const heads = await collect(cairn.documents.page(name, { fields: 'head' }))
    expect(heads).toHaveLength(120)
    expect(heads[0]).not.toHaveProperty('text')
    const filtered = await collect(cairn.documents.page(name, { filter: { key: 'year', eq: 2007 } }))
    expect(filtered).toHaveLength(6)
    const [first] = await collect(cairn.documents.pages(name, { limit: 100 }))
    const rest = await collect(
      cairn.documents.page(name, { next_token: first?.pagination.next_token ?? '', limit: 100 }),
    )
    expect(rest).toHaveLength(20)

    const got = await cairn.documents.get(name, [...paged.map(({ id }) => id), 'none'])
    expect(got.items).toHaveLength(120)
    expect(got.not_found_ids).toEqual(['none'])

    const removed = await cairn.documents.delete(name, ['d0000', 'none'])
    expect(removed).toMatchObject({ status: 'success', actual_deletions: 1, deleted_ids: ['d0000'] })
    const counted = await cairn.documents.delete(name, { filter: { key: 'year', eq: 2007 }, dry_run: true })
    expect(counted).toMatchObject({ matched_items: 6, actual_deletions: 0 })
  })

  it('are deleted by more ids than one request may have', async () => {
    const name = await textNamespace()
    await cairn.documents.upload(name, texts(10), { wait: true })
    const ids = [...Array.from({ length: 1_000 }, (_, index) => `none-${index}`), ...texts(10).map(({ id }) => id)]
    expect(await cairn.documents.delete(name, ids)).toMatchObject({
      requested_deletions: 1_010,
      actual_deletions: 10,
      remaining_items: 0,
    })
  })

  it('are named when they could not be indexed', async () => {
    const name = await textNamespace()
    const { uploads } = await cairn.documents.upload(name, texts(2))
    expect(await cairn.waitFor.upload(name, uploads[0] ?? '')).toMatchObject({
      state: 'completed',
      counts: { completed: 2 },
    })
  })
})

describe('vectors', { timeout: patienceMs }, () => {
  it('are uploaded, searched and deleted', async () => {
    await cairn.namespaces.create('points', { type: 'vector', vector_dimension: 3 })
    const vectors = Array.from({ length: 30 }, (_, index) => ({ id: `v${index}`, vector: [1, index, 2], color: 'red' }))
    const uploaded = await cairn.vectors.upload('points', [...vectors, { id: 'bad', vector: [1] }], { batchSize: 10 })
    expect(uploaded).toMatchObject({ stored: 30, failed: [{ id: 'bad', error: 'Dimension mismatch' }] })
    const { results } = await cairn.search({ query: [1, 3, 2], namespaces: ['points'], top_k: 1 })
    expect(results).toMatchObject([{ id: 'v3', metadata: { color: 'red' } }])
    expect(await cairn.vectors.delete('points', ['v3'])).toMatchObject({ actual_deletions: 1 })
  })
})

describe('files', { timeout: patienceMs }, () => {
  it('are uploaded from a path, listed, searched, processed again and deleted', async () => {
    const name = await textNamespace()
    const path = join(folder, 'guide.md')
    writeFileSync(path, '# Guide\n\nA cairn marks the path over the pass.\n')
    expect(await cairn.files.upload(name, path)).toEqual({ file_name: 'guide.md', size: 47, method: 'form' })
    const status = await cairn.waitFor.file(name, 'guide.md')
    expect(status).toMatchObject({ state: 'completed', chunks: 1 })
    expect(await cairn.files.status(name, 'guide.md')).toEqual(status)
    expect((await cairn.files.list(name)).files).toMatchObject([{ file_name: 'guide.md', size: 47 }])
    const { results } = await cairn.search({ query: 'path over the pass', namespaces: [name] })
    expect(results[0]?.metadata).toMatchObject({ source: 'guide.md' })
    expect(await cairn.files.retry(name, 'guide.md', { ocr: false })).toMatchObject({ options: { ocr: false } })
    await cairn.waitFor.file(name, 'guide.md')
    expect(await cairn.files.delete(name, ['guide.md', 'none.md'])).toMatchObject([
      { file_name: 'guide.md', status: 'deleted' },
      { file_name: 'none.md', status: 'error' },
    ])
  })

  const mebibyte = 1024 * 1024
  const stream = (text: string): AsyncIterable<Uint8Array> => new Blob([text]).stream()
  it.each([
    ['a Blob, in a form', 'form', () => new Blob(['A cairn marks the path.']), 23],
    ['a File, in a form', 'form', () => new File(['A cairn marks the path.'], 'other.txt'), 23],
    ['a Blob of the most bytes of a form', 'form', () => new Blob([content(10 * mebibyte)]), 10 * mebibyte],
    [
      'a Blob of more bytes, to a signed address',
      'signed',
      () => new Blob([content(10 * mebibyte + 1)]),
      10 * mebibyte + 1,
    ],
    ['a stream that fits a form', 'form', () => stream('A cairn marks the path.'), 23],
    ['a stream, in parts', 'multipart', () => stream(content(9 * mebibyte)), 9 * mebibyte],
  ] as const)('are uploaded from %s', async (_, method, make, size) => {
    const name = await textNamespace()
    const sent: number[] = []
    const uploaded = await cairn.files.upload(name, make(), {
      name: 'folder/a.txt',
      onProgress: (progress) => sent.push(progress.sent),
    })
    expect(uploaded).toEqual({ file_name: 'folder/a.txt', size, method })
    expect(sent.at(-1)).toBe(size)
    expect((await cairn.files.list(name)).files).toMatchObject([{ file_name: 'folder/a.txt', size }])
  })

  it.each(['form', 'signed', 'multipart'] as const)('have metadata, sent by %s and changed later', async (method) => {
    const name = await textNamespace()
    const content = new Blob(['A cairn marks the path.'])
    const { status } = await cairn.files.upload(name, content, {
      name: 'a.txt',
      method,
      metadata: { n: 1 },
      wait: true,
    })
    expect(status).toMatchObject({ state: 'completed', chunks: 1, metadata: { n: 1 } })
    expect(await cairn.waitFor.file(name, 'a.txt')).toMatchObject({ state: 'completed', metadata: { n: 1 } })
    await cairn.files.update(name, 'a.txt', { metadata: { n: 2 } })
    const states: string[] = []
    const onState = ({ state }: FileStatus) => states.push(state)
    expect(await cairn.waitFor.file(name, 'a.txt', { onState })).toMatchObject({ metadata: { n: 2 } })
    expect(states.at(-1)).toBe('completed')
    for await (const { file_name, metadata } of cairn.files.page(name, { prefix: 'a' }))
      expect({ file_name, metadata }).toEqual({ file_name: 'a.txt', metadata: { n: 2 } })
    expect(await (await cairn.files.content(name, 'a.txt', { range: { from: 2, to: 6 } })).text()).toBe('cairn')
  })

  it('are uploaded by the method that was chosen', async () => {
    const name = await textNamespace()
    const path = join(folder, 'large.txt')
    writeFileSync(path, content(17 * mebibyte))
    for (const method of ['signed', 'multipart'] as const)
      expect(await cairn.files.upload(name, path, { method })).toEqual({
        file_name: 'large.txt',
        size: 17 * mebibyte,
        method,
      })
  })

  it.each(['form', 'signed', 'multipart'] as const)('may be empty: %s', async (method) => {
    const name = await textNamespace()
    const empty = { file_name: 'empty.txt', size: 0, method }
    expect(await cairn.files.upload(name, new Blob([]), { name: 'empty.txt', method })).toEqual(empty)
    expect((await cairn.files.list(name)).files).toMatchObject([{ file_name: 'empty.txt', size: 0 }])
  })

  it('are refused with the reason', async () => {
    const name = await textNamespace()
    await expect(cairn.files.upload(name, new Blob(['x']), { name: 'a.exe' })).rejects.toMatchObject({
      code: 'invalid',
      status: 400,
      message: expect.stringContaining('.pdf'),
    })
    await expect(cairn.files.upload(name, new Blob(['x']))).rejects.toMatchObject({ code: 'invalid', status: 0 })
    await expect(cairn.files.upload(name, join(folder, 'none.txt'))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(cairn.files.status(name, 'none.txt')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('leave no parts behind when the upload is aborted', async () => {
    const name = await textNamespace()
    const controller = new AbortController()
    const upload = cairn.files.upload(name, new Blob([content(30 * mebibyte)]), {
      name: 'a.txt',
      method: 'multipart',
      concurrency: 1,
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    })
    await expect(upload).rejects.toThrow('enough')
    expect(await cairn.files.list(name)).toMatchObject({ files: [], uploads: [] })
  })
})

describe('events', { timeout: patienceMs }, () => {
  it('come as they happen, go on after a position, and end with the signal', async () => {
    const name = await textNamespace()
    const stopped = new AbortController()
    const seen: ContentEvent[] = []
    const following = (async () => {
      for await (const event of cairn.events({ namespace: name, signal: stopped.signal })) {
        seen.push(event)
        if (event.type === 'document.searchable') stopped.abort(new Error('enough'))
      }
    })()
    following.catch(() => undefined)
    const upload = async () => {
      await cairn.documents.upload(name, texts(1), { wait: true })
      return seen.some(({ type }) => type === 'document.searchable')
    }
    // The first upload may happen before the stream starts.
    await expect.poll(upload, { timeout: patienceMs }).toBe(true)
    await expect(following).rejects.toThrow('enough')
    const [accepted, searchable] = seen.slice(-2)
    expect(accepted).toMatchObject({ type: 'document.accepted', namespace_name: name, position: expect.any(String) })
    for await (const event of cairn.events({ namespace: name, after: accepted?.position ?? '' })) {
      expect(event).toEqual(searchable)
      break
    }
  })

  it('are refused where there is nothing to follow', async () => {
    const events = collect(cairn.events({ namespace: 'none' }))
    await expect(events).rejects.toMatchObject({ code: 'not_found', status: 404 } satisfies Partial<CairnError>)
  })
})

describe('usage', { timeout: patienceMs }, () => {
  it('is that of the account, by day, namespace and key', async () => {
    const name = await textNamespace()
    await cairn.documents.upload(name, texts(1), { wait: true })
    const ofNamespace = async () =>
      (await cairn.usage({ by: 'namespace' })).rows.find(({ namespace_name }) => namespace_name === name)
    await expect.poll(async () => (await ofNamespace())?.requests, { timeout: 10_000 }).toBeGreaterThan(1)
    const today = new Date().toISOString().slice(0, 10)
    const usage = await cairn.usage()
    expect(usage).toMatchObject({ by: 'day', to: today, requests: { limit: null } })
    expect(usage.rows).toHaveLength(30)
    expect((await cairn.usage({ by: 'key', from: today, to: today })).rows).toMatchObject([
      { key_id: server.apiKey.split('_')[1], requests: expect.any(Number) },
    ])
    await expect(cairn.usage({ from: '2026-02-30' })).rejects.toMatchObject({ code: 'invalid', status: 400 })
  })
})

describe('answers', { timeout: patienceMs }, () => {
  it('come whole or as events', async () => {
    const name = await textNamespace()
    await cairn.documents.upload(name, texts(3), { wait: true })
    const question = { query: 'What marks the path over the pass?', namespace: name, top_k: 2 }
    const answered = await cairn.answer(question)
    expect(answered).toMatchObject({ model: 'extractive', context_count: 2, answer: expect.stringContaining('Cairn') })
    const events: AnswerEvent[] = await collect(cairn.answerStream(question))
    expect(events[0]).toMatchObject({ event: 'meta', context_count: 2 })
    const tokens = events.flatMap((event) => (event.event === 'token' ? [event.delta] : []))
    expect(tokens.join('')).toBe(answered.answer)
    expect(events.at(-1)).toMatchObject({ event: 'done', answer: answered.answer, sources: answered.sources })
  })

  it('are from several namespaces, or from all', async () => {
    const { admin } = new Cairn({ url: server.url, adminKey: server.adminKey })
    const { account_id } = await admin.accounts.create('answers', 'enterprise')
    const { api_key: apiKey } = await admin.keys.create(account_id, { name: 'reader' })
    const theirs = new Cairn({ url: server.url, apiKey })
    for (const name of ['garden', 'village']) await theirs.namespaces.create(name)
    await theirs.documents.upload('garden', [{ id: '1', text: 'Ottilie repairs the wicket.' }], { wait: true })
    const query = 'Who repairs the wicket?'
    const expected = { answer: 'Ottilie repairs the wicket.', sources: [{ id: '1', namespace: 'garden' }] }
    expect(await theirs.answer({ query, namespaces: ['village', 'garden'] })).toMatchObject(expected)
    expect(await theirs.answer({ query })).toMatchObject(expected)
  })

  it('are refused before the stream begins', async () => {
    const stream = collect(cairn.answerStream({ query: 'What?', namespace: 'none' }))
    await expect(stream).rejects.toMatchObject({ code: 'not_found', status: 404 } satisfies Partial<CairnError>)
  })
})

describe('uploads', { timeout: patienceMs }, () => {
  it('are listed, newest first and over several pages, and read singly', async () => {
    const name = await textNamespace()
    const { uploads } = await cairn.documents.upload(name, texts(120), { batchSize: 1, concurrency: 1, wait: true })
    const ids = (await collect(cairn.uploads.page(name))).map(({ upload_id: id }) => id)
    expect(ids).toEqual(uploads.toReversed())
    expect(await collect(cairn.uploads.page(name, { state: 'failed' }))).toEqual([])
    expect(await cairn.uploads.get(name, ids[0] ?? '')).toMatchObject({
      state: 'completed',
      documents: [{ id: 'd0119', outcome: 'completed' }],
    })
  })
})

describe('what failed', { timeout: patienceMs }, () => {
  it('is listed by document, and retried', async () => {
    const name = await textNamespace()
    const sent = [...texts(101, 0).slice(0, 60), { id: 'short', text: 'short' }]
    const { uploads } = await cairn.documents.upload(name, sent, { wait: true, batchSize: 100 })
    const upload_id = uploads[0] ?? ''
    expect(await collect(cairn.documentsOfUpload(name, upload_id))).toHaveLength(61)
    expect(await collect(cairn.documentsOfUpload(name, upload_id, { state: 'failed' }))).toMatchObject([
      { id: 'short', attempts: 0, remedy: 'Correct the document and upload it again.' },
    ])
    const nothing = { documents: 0, files: 0, upload_ids: [], refused: [], has_more: false }
    expect(await cairn.retry(name)).toMatchObject(nothing)
    expect(await cairn.retry(name, { ids: ['short'] })).toMatchObject(nothing)
    expect(await cairn.retry(name, { upload_id })).toMatchObject(nothing)
    await cairn.files.upload(name, new Blob(['   ']), { name: 'blank.txt' })
    await cairn.waitFor.file(name, 'blank.txt')
    expect(await cairn.retry(name, { kind: 'files' })).toMatchObject({
      files: 0,
      refused: [{ reason: 'no_text', count: 1 }],
    })
    const selection = { reason: ['no_text'], dry_run: true }
    expect(await cairn.retry(name, selection)).toMatchObject({ ...nothing, files: 1, file_names: ['blank.txt'] })
  })
})

describe('the operator', () => {
  it('makes an account and a key, sees their use, and revokes the key', async () => {
    const { admin } = new Cairn({ url: server.url, adminKey: server.adminKey })
    const account = await admin.accounts.create('Acme', 'community')
    expect((await admin.accounts.list()).map(({ name }) => name)).toContain('Acme')
    const { api_key: apiKey, key_id: keyId } = await admin.keys.create(account.account_id, { name: 'ingest' })
    const theirs = new Cairn({ url: server.url, apiKey })
    await theirs.namespaces.create('of-acme')
    expect((await admin.accounts.usage(account.account_id)).namespaces.used).toBe(1)
    expect(await admin.accounts.update(account.account_id, { tier: 'enterprise' })).toMatchObject({
      tier: 'enterprise',
    })
    expect(await admin.keys.setState(keyId, 'revoked')).toMatchObject({ state: 'revoked' })
    expect(await admin.keys.list(account.account_id)).toMatchObject([{ key_id: keyId, state: 'revoked' }])
    const code = () => theirs.namespaces.list().then(undefined, ({ code }: CairnError) => code)
    await expect.poll(code, { timeout: 10_000 }).toBe('unauthenticated')
    expect(await admin.orphans.list({ limit: 1 })).toEqual({ orphans: [], next: null })
    expect(await admin.orphans.approve(['nothing'])).toEqual({ approved: 0 })
  })

  it('sees that the server is ready', async () => {
    expect(await new Cairn({ url: server.url }).readiness()).toMatchObject({ status: 'ready' })
  })
})

describe('a creation whose answer was lost', () => {
  it('is done once, and gets that answer', async () => {
    const keys: (string | null)[] = []
    const losing: typeof fetch = async (request, init) => {
      keys.push((request as Request).headers.get('idempotency-key'))
      const response = await fetch(request, init)
      if (keys.length === 1) throw new TypeError('fetch failed')
      return response
    }
    const lossy = new Cairn({ url: server.url, apiKey: server.apiKey, fetch: losing })
    expect(await lossy.namespaces.create('lost')).toMatchObject({ status: 'success', namespace_name: 'lost' })
    expect(keys).toHaveLength(2)
    expect(keys[1]).toBe(keys[0])
  })
})
