import { Cairn } from '@cairn/client'
import { operations } from '@cairn/contracts/api/operations'
import { eventually } from '@cairn/testing/eventually'
import { expect } from 'vitest'
import { type Client, createClient } from '../client.ts'
import { type Content, readAccount, unfinished } from './content.ts'

type Account = Content['owner']

/** Expects that filters find what has each key of the metadata. */
const expectFiltered = async (api: Client, account: Account): Promise<void> => {
  for (const { namespace, results } of account) {
    const { namespace_name, type } = namespace
    const query = type === 'vector' ? [0.9, 0.1, 0] : 'stones that mark the way over the pass'
    for (const key of new Set(results.flatMap(({ metadata }) => Object.keys(metadata)))) {
      const body = { query, namespaces: [namespace_name], top_k: 20, filter: { key, exists: true } }
      const found = (await api.call(operations.search, { body }, 200)).body.results.map(({ id }) => id)
      const expected = results.filter(({ metadata }) => (metadata[key] ?? null) !== null).map(({ id }) => id)
      expect(found.toSorted(), `${namespace_name} ${key}`).toEqual(expected.toSorted())
    }
  }
}

/** Whether a file is outdated depends on the version that is asked, not on the data. */
const withoutOutdated = <T>(saved: T): T =>
  JSON.parse(JSON.stringify(saved, (name, value) => (name === 'outdated' ? undefined : value)))

/**
 * Expects that every document, file and key of the saved system exists, and that the unfinished work has been
 * completed.
 */
export const expectContent = async (url: string, saved: Content): Promise<void> => {
  const content = withoutOutdated(saved)
  const as = (key: string) => createClient(url, { 'x-api-key': key })
  const owner = as(content.keys.owner)
  // Allows fields that responses did not have in the version that wrote the saved data.
  expect(await readAccount(owner)).toMatchObject(content.owner)
  await expectFiltered(owner, content.owner)
  expect(await readAccount(as(content.keys.reader))).toMatchObject(content.owner)
  expect(await readAccount(as(content.keys.other))).toMatchObject(content.other)
  await as(content.keys.revoked).call(operations.listNamespaces, {}, 401)
  const params = { namespace_name: unfinished }
  const read = (upload_id: string) => owner.call(operations.getUpload, { params: { ...params, upload_id } }, 200)
  const ended = (upload_id: string) =>
    eventually(
      () => read(upload_id),
      ({ body }) => body.finished_at !== null,
      { withinMs: 30_000, everyMs: 50 },
    )
  expect((await ended('upl_material_queued')).body.counts).toMatchObject({ completed: 2, deleted: 1 })
  expect((await ended('upl_material_failed')).body.counts).toMatchObject({ failed: 1 })
  const query = { query: 'The document waiting-1 waits for its index.', namespaces: [unfinished] }
  const { results } = (await owner.call(operations.search, { body: query }, 200)).body
  expect(results.map(({ id }) => id).toSorted()).toEqual(['waiting-1', 'waiting-2'])
}

/** Expects that files of the saved system can be downloaded, and that their metadata can be changed. */
export const expectFiles = async (url: string, { keys, owner }: Content): Promise<void> => {
  const cairn = new Cairn({ url, apiKey: keys.owner })
  let count = 0
  for (const { namespace, files: stored } of owner)
    for (const { file_name, size } of stored) {
      const { namespace_name } = namespace
      const original = await cairn.files.content(namespace_name, file_name)
      expect((await original.arrayBuffer()).byteLength).toBe(size)
      const { chunks, extraction_version } = await cairn.files.status(namespace_name, file_name)
      await cairn.files.update(namespace_name, file_name, { metadata: { shelf: 7 } })
      const changed = await cairn.waitFor.file(namespace_name, file_name, { timeoutMs: 30_000 })
      expect(changed).toMatchObject({ state: 'completed', chunks, extraction_version, metadata: { shelf: 7 } })
      const filter = { key: 'shelf', eq: 7 }
      const { results } = await cairn.search({ query: 'stones', namespaces: [namespace_name], top_k: 100, filter })
      expect(results.length).toBeGreaterThanOrEqual(chunks)
      count += 1
    }
  expect(count).toBeGreaterThan(0)
}
