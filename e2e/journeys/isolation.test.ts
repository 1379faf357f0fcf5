import { operationList, operations } from '@cairn/contracts/api/operations'
import type { Operation } from '@cairn/contracts/http/operation'
import { eventually } from '@cairn/testing/eventually'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, Sent } from '../client.ts'
import {
  createNamespace,
  freshName,
  listed,
  type Member,
  removeNamespace,
  settled,
  upload,
  useTarget,
} from '../story.ts'

// X1: calls every operation that takes a key and names a namespace, on the caller's namespace, another account's, a
// nonexistent one and a deleted one, each with the keys of both accounts, a revoked key and no key.

const story = useTarget()

type Place = { readonly name: string; readonly uploadId: string }
type Row = {
  readonly type: 'text' | 'vector'
  readonly sent: (place: Place) => Sent
  /** Status for the owner. */
  readonly own: number
  /** Status for a caller in whose account the name does not exist. */
  readonly strange: number
}

const text = 'A document that is long enough.'
const params = ({ name }: Place) => ({ namespace_name: name })
const found = { own: 200, strange: 404 } as const
/** Statuses for a file that the namespace lacks: its owner and a stranger both get 404, with different bodies. */
const noSuchFile = { own: 404, strange: 404 } as const
/** Statuses for a namespace without a reindex: its owner and a stranger both get 404, with different bodies. */
const noReindex = noSuchFile
const file_name = 'put.txt'
const inParts = { file_name, upload_id: 'of-nobody' }
const form = {
  raw: '--x\r\ncontent-disposition: form-data; name="file"; filename="put.txt"\r\n\r\nsome text\r\n--x--\r\n',
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
}

const evaluation = {
  questions_hash: '0'.repeat(64),
  mode: 'hybrid',
  model: 'another',
  ndcg_at_10: [1],
  recall_at_10: [1],
  first_ranks: [1],
}

/** One row for each operation that takes a key and works on a namespace; `listNamespaces` has a separate test. */
const rows: Readonly<Record<string, Row>> = {
  // Names are per account: names of other accounts neither conflict nor are revealed.
  createNamespace: {
    type: 'text',
    sent: ({ name }) => ({ body: { namespace_name: name, type: 'text' } }),
    own: 409,
    strange: 201,
  },
  deleteNamespace: { type: 'text', sent: (place) => ({ params: params(place) }), own: 202, strange: 404 },
  // The namespace already has the current model.
  startReindex: { type: 'text', sent: (place) => ({ params: params(place) }), own: 409, strange: 404 },
  getReindex: { type: 'text', sent: (place) => ({ params: params(place) }), ...noReindex },
  flipReindex: { type: 'text', sent: (place) => ({ params: params(place) }), ...noReindex },
  rollBackReindex: { type: 'text', sent: (place) => ({ params: params(place) }), ...noReindex },
  endReindex: { type: 'text', sent: (place) => ({ params: params(place) }), ...noReindex },
  startReextraction: { type: 'text', sent: (place) => ({ params: params(place) }), ...found },
  getReextraction: { type: 'text', sent: (place) => ({ params: params(place) }), ...found },
  // The namespace has another model.
  keepEvaluation: {
    type: 'text',
    sent: (place) => ({ params: params(place), body: evaluation }),
    own: 409,
    strange: 404,
  },
  listEvaluations: { type: 'text', sent: (place) => ({ params: params(place) }), ...found },
  getEvaluation: {
    type: 'text',
    sent: (place) => ({ params: { ...params(place), evaluation_id: 'none' } }),
    ...noSuchFile,
  },
  uploadDocuments: {
    type: 'text',
    sent: (place) => ({ params: params(place), body: { documents: [{ id: 'put', text }] } }),
    own: 202,
    strange: 404,
  },
  getDocuments: { type: 'text', sent: (place) => ({ params: params(place), body: { ids: ['kept'] } }), ...found },
  fetchTextData: { type: 'text', sent: (place) => ({ params: params(place) }), ...found },
  filterTextData: {
    type: 'text',
    sent: (place) => ({ params: params(place), body: { filter: { key: 'year', eq: 2024 } } }),
    ...found,
  },
  deleteDocuments: { type: 'text', sent: (place) => ({ params: params(place), body: { ids: ['put'] } }), ...found },
  uploadVectors: {
    type: 'vector',
    sent: (place) => ({ params: params(place), body: { vectors: [{ id: 'put', vector: [1, 1] }] } }),
    own: 201,
    strange: 404,
  },
  deleteVectors: { type: 'vector', sent: (place) => ({ params: params(place), body: { ids: ['put'] } }), ...found },
  createUploadUrl: { type: 'text', sent: (place) => ({ params: params(place), body: { file_name } }), ...found },
  uploadFile: { type: 'text', sent: (place) => ({ params: params(place), ...form }), ...found },
  listFiles: { type: 'text', sent: (place) => ({ params: params(place) }), ...found },
  deleteFiles: { type: 'text', sent: (place) => ({ params: params(place), body: { file_name } }), ...found },
  getFileStatus: { type: 'text', sent: (place) => ({ params: { ...params(place), file_name } }), ...noSuchFile },
  pageFiles: { type: 'text', sent: (place) => ({ params: params(place) }), ...found },
  getFileContent: { type: 'text', sent: (place) => ({ params: { ...params(place), file_name } }), ...noSuchFile },
  createDownloadUrl: { type: 'text', sent: (place) => ({ params: { ...params(place), file_name } }), ...noSuchFile },
  updateFile: {
    type: 'text',
    sent: (place) => ({ params: { ...params(place), file_name }, body: { metadata: {} } }),
    ...noSuchFile,
  },
  retryFile: { type: 'text', sent: (place) => ({ params: { ...params(place), file_name } }), ...noSuchFile },
  startMultipartUpload: {
    type: 'text',
    sent: (place) => ({ params: params(place), body: { file_name, parts: 1 } }),
    ...found,
  },
  completeMultipartUpload: {
    type: 'text',
    sent: (place) => ({ params: params(place), body: { ...inParts, parts: [{ part: 1, etag: 'x' }] } }),
    ...noSuchFile,
  },
  abortMultipartUpload: { type: 'text', sent: (place) => ({ params: params(place), body: inParts }), ...noSuchFile },
  search: { type: 'text', sent: ({ name }) => ({ body: { query: 'document', namespaces: [name] } }), ...found },
  answer: { type: 'text', sent: ({ name }) => ({ body: { query: 'document', namespace: name } }), ...found },
  getNamespace: { type: 'text', sent: (place) => ({ params: params(place) }), ...found },
  listUploads: { type: 'text', sent: (place) => ({ params: params(place) }), ...found },
  retryFailed: { type: 'text', sent: (place) => ({ params: params(place) }), ...found },
  retryUpload: {
    type: 'text',
    sent: (place) => ({ params: { ...params(place), upload_id: place.uploadId } }),
    ...found,
  },
  listUploadDocuments: {
    type: 'text',
    sent: (place) => ({ params: { ...params(place), upload_id: place.uploadId } }),
    ...found,
  },
  getUpload: { type: 'text', sent: (place) => ({ params: { ...params(place), upload_id: place.uploadId } }), ...found },
  // The position is invalid, because a valid stream would not end.
  getNamespaceEvents: {
    type: 'text',
    sent: (place) => ({ params: params(place), query: { after: 'x' } }),
    own: 400,
    strange: 404,
  },
}

const protectedOperations = operationList.filter(({ auth }) => auth === 'key')
/** Operations without a namespace. Other tests check that they return nothing of other accounts. */
const ofAccount = ['listNamespaces', 'listModels', 'getDeletion', 'getEvents', 'getOwnUsage', 'createConsoleCode']
const matrix = protectedOperations.filter(({ operationId }) => !ofAccount.includes(operationId))

const fill = async (api: Client, type: Row['type']): Promise<Place> => {
  if (type === 'text') {
    const name = await createNamespace(api)
    const { upload_id: uploadId } = await upload(api, name, [{ id: 'kept', text }])
    await settled(api, name, uploadId)
    return { name, uploadId }
  }
  const name = await createNamespace(api, { type, vector_dimension: 2 })
  const body = { vectors: [{ id: 'kept', vector: [1, 0] }] }
  const stored = await api.call(operations.uploadVectors, { params: { namespace_name: name }, body }, 201)
  return { name, uploadId: stored.body.upload_id }
}

const states = ['own', "other's", 'absent', 'deleted'] as const
type State = (typeof states)[number]

describe('X1: the isolation of accounts', () => {
  let mine: Member
  let other: Member
  let revoked: Client
  beforeAll(async () => {
    mine = await story.member()
    other = await story.member()
    const key = await story.key(mine.accountId)
    await story.admin.call(operations.updateKey, { params: { key_id: key.keyId }, body: { state: 'revoked' } }, 200)
    revoked = key.api
  })

  const ask = async (api: Client, operation: Operation, { sent }: Row, place: Place) => {
    const { status, body } = await api.any(operation, sent(place))
    const { request_id: _, ...rest } = body
    // Replaces names that the caller sent, because they reveal nothing.
    return {
      status,
      body: JSON.stringify(rest).replaceAll(place.name, '<name>').replaceAll(place.uploadId, '<upload>'),
    }
  }

  it('is tried on every operation that takes a key', () => {
    expect(Object.keys(rows).toSorted()).toEqual(matrix.map(({ operationId }) => operationId).toSorted())
  })

  it.each(matrix.map((operation) => [operation.operationId, operation] as const))(
    'holds for %s',
    async (operationId, operation) => {
      const row = rows[operationId] as Row
      const deleted = await fill(mine.api, row.type)
      await removeNamespace(mine.api, deleted.name)
      const places: Readonly<Record<State, Place>> = {
        own: await fill(mine.api, row.type),
        "other's": await fill(other.api, row.type),
        absent: { name: freshName(), uploadId: `upload_${'0'.repeat(26)}` },
        deleted,
      }

      for (const [key, api, message] of [
        ['revoked', revoked, 'Unauthorized: Invalid API key'],
        ['missing', story.visitor, 'Unauthorized: API key is missing'],
      ] as const) {
        const answers = await Promise.all(states.map((state) => ask(api, operation, row, places[state])))
        for (const [index, { status, body }] of answers.entries()) {
          expect([key, states[index], status, JSON.parse(body)]).toEqual([
            key,
            states[index],
            401,
            operation.errors === 'files'
              ? { error: 'Unauthorized', message }
              : { error: 'Unauthorized', status: 'failure', message },
          ])
        }
      }

      const strangeToMe = ["other's", 'absent', 'deleted'] as const
      // For the other account, "own" is a stranger's namespace.
      const strangeToOther = ['own', 'absent', 'deleted'] as const
      for (const [api, strange] of [
        [mine.api, strangeToMe],
        [other.api, strangeToOther],
      ] as const) {
        const answers: Awaited<ReturnType<typeof ask>>[] = []
        for (const state of strange) answers.push(await ask(api, operation, row, places[state]))
        for (const [index, answer] of answers.entries()) {
          expect([strange[index], answer.status]).toEqual([strange[index], row.strange])
          expect(answer.body, strange[index]).toBe(answers[0]?.body)
        }
      }

      for (const [api, place] of [
        [mine.api, places.own],
        [other.api, places["other's"]],
      ] as const) {
        const kept = await api.call(
          operations.getDocuments,
          { params: params(place), body: { ids: ['kept', 'put'] } },
          207,
        )
        expect(kept.body.items.map(({ id }) => id)).toEqual(['kept'])
        expect((await ask(api, operation, row, place)).status).toBe(row.own)
      }
    },
  )

  it('holds for the list: each sees what is its own', async () => {
    const [own, others] = [await createNamespace(mine.api), await createNamespace(other.api)]
    const [names, otherNames] = [await listed(mine.api), await listed(other.api)].map((list) =>
      list.map(({ namespace_name: name }) => name),
    )
    expect([names?.includes(own), names?.includes(others)]).toEqual([true, false])
    expect([otherNames?.includes(own), otherNames?.includes(others)]).toEqual([false, true])
    await revoked.call(operations.listNamespaces, {}, 401)
    await story.visitor.call(operations.listNamespaces, {}, 401)
    await revoked.call(operations.listModels, {}, 401)
    await story.visitor.call(operations.listModels, {}, 401)
  })

  it('holds for usage: neither numbers nor names of namespaces and keys of another account are in it', async () => {
    const [me, stranger] = [await story.member(), await story.member()]
    const others = await createNamespace(stranger.api)
    const read = ({ api }: Member, by: 'day' | 'namespace' | 'key') => api.sdk.usage({ by })
    await eventually(
      () => read(stranger, 'namespace'),
      ({ rows }) => rows.some(({ namespace_name: name }) => name === others),
      { withinMs: 10_000, everyMs: 50 },
    )
    const mine = [await read(me, 'day'), await read(me, 'namespace'), await read(me, 'key')]
    for (const text of [others, stranger.keyId, stranger.accountId]) expect(JSON.stringify(mine)).not.toContain(text)
    // At most the requests of these reads.
    for (const { total, requests } of mine) expect(Math.max(total.requests, requests.used)).toBeLessThanOrEqual(3)
    // Another account's namespace gets no row in the caller's usage.
    await me.api.call(operations.listFiles, { params: { namespace_name: others } }, 404)
    await me.api.call(operations.search, { body: { query: 'document', namespaces: [others] } }, 404)
    const counted = await eventually(
      () => read(me, 'namespace'),
      ({ total }) => total.requests >= 5,
      {
        withinMs: 10_000,
        everyMs: 50,
      },
    )
    expect(counted.rows).toEqual([])
    await revoked.call(operations.getOwnUsage, {}, 401)
    await story.visitor.call(operations.getOwnUsage, {}, 401)
  })

  it("holds for uploads asked for below a namespace of one's own", async () => {
    const [own, others] = [await fill(mine.api, 'text'), await fill(other.api, 'text')]
    const askFor = (uploadId: string) =>
      mine.api.call(operations.getUpload, { params: { ...params(own), upload_id: uploadId } }, 404)
    const [strange, absent] = [await askFor(others.uploadId), await askFor(`upload_${'0'.repeat(26)}`)]
    expect({ ...strange.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' })
  })

  it("holds for searches that name a strange namespace among one's own", async () => {
    const [own, others] = [await fill(mine.api, 'text'), await fill(other.api, 'text')]
    const askWith = async (name: string) => {
      const { body } = await mine.api.call(
        operations.search,
        { body: { query: 'document', namespaces: [own.name, name] } },
        404,
      )
      return JSON.stringify({ ...body, request_id: '' }).replaceAll(name, '<name>')
    }
    expect(await askWith(others.name)).toBe(await askWith(freshName()))
  })

  it('holds for words: no answer of one account holds a word of another', async () => {
    const [own, others] = [await createNamespace(mine.api), await createNamespace(other.api)]
    const secret = 'quetzalcoatlus'
    const { upload_id: uploadId } = await upload(other.api, others, [
      { id: secret, text: `The ${secret} was a very large animal.`, [secret]: secret },
    ])
    await settled(other.api, others, uploadId)
    await settled(mine.api, own, (await upload(mine.api, own, [{ id: 'mine', text }])).upload_id)
    for (const query of [secret, `#${secret}`, `#${secret}:${secret}`, `large animal #${secret}`]) {
      const { body } = await mine.api.call(operations.search, { body: { query, namespaces: [own] } }, 200)
      expect(JSON.stringify(body)).not.toContain(secret)
    }
    const got = await mine.api.call(
      operations.getDocuments,
      { params: { namespace_name: own }, body: { ids: ['mine', secret] } },
      207,
    )
    expect(got.body.items.map(({ id }) => id)).toEqual(['mine'])
    await mine.api.call(operations.deleteDocuments, { params: { namespace_name: own }, body: { ids: [secret] } }, 200)
    await other.api.call(operations.getDocuments, { params: { namespace_name: others }, body: { ids: [secret] } }, 200)
  })
})
