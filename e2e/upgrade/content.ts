import { operations } from '@cairn/contracts/api/operations'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { Store } from '@cairn/domain/store'
import { eventually } from '@cairn/testing/eventually'
import { type Client, createClient, formOf } from '../client.ts'

/** Keys of the saved system: `owner`, `reader` and `revoked` belong to the first account, `other` to a second one. */
export type Keys = { readonly owner: string; readonly reader: string; readonly other: string; readonly revoked: string }

/**
 * Content of the saved system as clients read it before it was saved; clients must read the same after every upgrade.
 */
export type Content = {
  readonly keys: Keys
  readonly owner: Awaited<ReturnType<typeof readAccount>>
  readonly other: Awaited<ReturnType<typeof readAccount>>
}

export const finishedNamespaces = ['notes', 'papers', 'points']
/** Namespace with work that was unfinished when the processes exited. */
export const unfinished = 'unfinished'

const report = `# Report on stones

Granite is an igneous rock. It is made of quartz, feldspar and mica, and it is found in most mountain ranges.

## Marble

Marble is a metamorphic rock of carbonate minerals. Sculptors have worked it for thousands of years.
`

const notes = Array.from({ length: 12 }, (_, turn) => ({
  id: `note-${turn}`,
  text: `Note number ${turn}: the cairn beside path ${turn} marks the way over the pass.`,
  path: turn,
  tags: ['way', turn % 2 === 0 ? 'even' : 'odd'],
  metadata: { nested: { deep: [1, 2.5, null, true] }, 'a.b$c': 'kept' },
}))

const index = async (api: Client, namespace_name: string, documents: readonly unknown[]) => {
  const params = { namespace_name }
  const { upload_id } = (await api.call(operations.uploadDocuments, { params, body: { documents } }, 202)).body
  const read = () => api.call(operations.getUpload, { params: { ...params, upload_id } }, 200)
  await eventually(read, ({ body }) => body.finished_at !== null, { withinMs: 30_000, everyMs: 20 })
}

const namespaceOf = (api: Client, namespace_name: string, more: object = { type: 'text' }) =>
  api.call(operations.createNamespace, { body: { namespace_name, ...more } }, 201)

/** Reads an account's data in `finishedNamespaces`, where no work is left that could change it. */
export const readAccount = async (api: Client) => {
  const { namespaces } = (await api.call(operations.listNamespaces, {}, 200)).body
  const listed = namespaces
    .filter((one) => finishedNamespaces.includes(one.namespace_name))
    .toSorted((a, b) => (a.namespace_name < b.namespace_name ? -1 : 1))
  const contents = []
  for (const namespace of listed) {
    const { namespace_name, type } = namespace
    const params = { namespace_name }
    const listing = (await api.call(operations.listFiles, { params }, 200)).body.files
    // Times are left out, because the store assigned them at the time of the test.
    const files = listing.map(({ file_name, size }) => ({ file_name, size }))
    const statuses = []
    for (const { file_name } of files) {
      const { body } = await api.call(operations.getFileStatus, { params: { ...params, file_name } }, 200)
      const { last_modified: _, unchanged_at: __, updated_at: ___, ...status } = body
      statuses.push(status)
    }
    const query = type === 'vector' ? [0.9, 0.1, 0] : 'stones that mark the way over the pass'
    const { results } = (
      await api.call(operations.search, { body: { query, namespaces: [namespace_name], top_k: 20 } }, 200)
    ).body
    const walk = () => api.call(operations.fetchTextData, { params, query: { limit: '100' } }, 200)
    const items = type === 'vector' ? results : (await walk()).body.items
    const ids = items.map(({ id }) => id)
    const documents = (await api.call(operations.getDocuments, { params, body: { ids } }, 200)).body
    contents.push({ namespace, items, documents, files, statuses, results })
  }
  return contents
}

/** Fills a system that has one account; returns the content as clients read it. */
export const fill = async ({
  url,
  apiKey,
  adminKey,
}: {
  readonly url: string
  readonly apiKey: string
  readonly adminKey: string
}) => {
  const visitor = createClient(url)
  const admin = visitor.with({ 'x-admin-key': adminKey })
  const as = (key: string) => visitor.with({ 'x-api-key': key })
  const owner = as(apiKey)
  const { account_id } = (
    await admin.call(operations.createAccount, { body: { name: 'Second account', tier: 'professional' } }, 201)
  ).body
  const key = async (account: string, name: string, scopes: readonly string[]) =>
    (await admin.call(operations.createKey, { params: { account_id: account }, body: { name, scopes } }, 201)).body
  const other = await key(account_id, 'other', ['read', 'write'])
  const reader = await key('acc_first', 'reader', ['read'])
  const revoked = await key('acc_first', 'revoked', ['read'])
  await admin.call(operations.updateKey, { params: { key_id: revoked.key_id }, body: { state: 'revoked' } }, 200)

  await namespaceOf(owner, 'notes')
  await index(owner, 'notes', notes)
  await index(owner, 'notes', [
    { ...notes[3], text: 'Note number 3 was written anew: a stone fell.', metadata: { second: true } },
  ])
  await owner.call(operations.deleteDocuments, { params: { namespace_name: 'notes' }, body: { ids: ['note-11'] } }, 200)
  await namespaceOf(owner, 'points', { type: 'vector', vector_dimension: 3 })
  const vectors = [
    { id: 'x', vector: [1, 0, 0], text: 'Along x', colour: 'red' },
    { id: 'y', vector: [0, 1, 0], colour: 'green' },
    { id: 3, vector: [0, 0, 2], metadata: { colour: 'blue' } },
  ]
  await owner.call(operations.uploadVectors, { params: { namespace_name: 'points' }, body: { vectors } }, 201)
  await namespaceOf(owner, 'papers')
  const papers = { namespace_name: 'papers' }
  await owner.call(operations.uploadFile, { params: papers, ...(await formOf('a folder/report.md', report)) }, 200)
  const status = () =>
    owner.call(operations.getFileStatus, { params: { ...papers, file_name: 'a folder/report.md' } }, 200)
  await eventually(status, ({ body }) => body.state === 'completed', { withinMs: 30_000, everyMs: 20 })
  await owner.call(operations.createUploadUrl, { params: papers, body: { file_name: 'never-brought.txt' } }, 200)
  await namespaceOf(owner, 'gone')
  await index(owner, 'gone', notes.slice(0, 2))
  await owner.call(operations.deleteNamespace, { params: { namespace_name: 'gone' } }, 202)
  await namespaceOf(owner, unfinished)
  await namespaceOf(as(other.api_key), 'notes')
  await index(as(other.api_key), 'notes', [{ id: 'note-0', text: 'The second account has a note of the same id.' }])

  const keys: Keys = { owner: apiKey, reader: reader.api_key, other: other.api_key, revoked: revoked.api_key }
  const content: Content = { keys, owner: await readAccount(owner), other: await readAccount(as(keys.other)) }
  return content
}

/**
 * Leaves an upload that is queued, an upload that has failed, and a requested deletion of a document of the queued
 * upload.
 */
export const leaveWork = async (store: Store): Promise<void> => {
  const namespace = await store.namespaces.byName('acc_first', unfinished)
  if (!namespace) throw new Error(`no namespace ${unfinished}`)
  const common = {
    accountId: 'acc_first',
    namespaceId: namespace.id,
    correlationId: 'material',
    traceparent: null,
    at: Date.now(),
  }
  const accept = (uploadId: string, ids: readonly string[]) =>
    store.accept({
      ...common,
      uploadId,
      kind: 'text',
      documents: ids.map((id) => ({
        id,
        body: { text: `The document ${id} waits for its index.`, metadata: '{"from":"the saved system"}' },
      })),
      rejected: [],
      limit: null,
    })
  await accept('upl_material_failed', ['failed'])
  await store.uploads.lease('upl_material_failed', 'lease-1')
  await store.items.markFailed(namespace.id, 'upl_material_failed', [{ id: 'failed', reason: 'no_passages' }])
  const result = {
    state: 'failed',
    outcomes: [{ id: 'failed', outcome: 'failed', reason: 'no_passages' }],
    times: {},
    at: common.at,
  } as const
  await store.uploads.complete({ jobId: 'upl_material_failed', token: 'lease-1' }, result)
  await accept('upl_material_queued', ['waiting-1', 'waiting-2', 'removed'])
  const space = embeddingSpaceOf(namespace)
  await store.deleteItems({
    ...common,
    deletionId: 'del_material',
    namespaceName: unfinished,
    space,
    ids: ['removed'],
  })
}
