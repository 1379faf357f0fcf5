import { defaultTiers } from '@cairn/domain/accounts/tiers'
import { createFileScene } from '@cairn/domain/files/file-scene.fixture'
import { objectKey } from '@cairn/domain/files/object-keys'
import { mint, namespaceInput, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { createLogger } from '@cairn/runtime/process/logger'
import { createManualClock } from '@cairn/testing/manual-clock'
import { memoryFiles } from '@cairn/testing/memory-files'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import { keysIn, onObjectEvent } from './on-object-event.ts'

/** A message as MinIO publishes it, with changed ids. */
const asReceived = String.raw`{"EventName":"s3:ObjectCreated:Put","Key":"files/acc_1/notes/a b/it's (1) \u0026 more + 100%41 #ü?.txt","Records":[{"eventVersion":"2.0","eventSource":"minio:s3","awsRegion":"","eventTime":"2026-11-22T05:08:09.265Z","eventName":"s3:ObjectCreated:Put","userIdentity":{"principalId":"cairn"},"requestParameters":{"principalId":"cairn","region":"","sourceIPAddress":"127.0.0.1"},"responseElements":{"x-amz-id-2":"b9e1c56d","x-amz-request-id":"18EA45BF45377A4A","x-minio-deployment-id":"d1524d37-7186-4cc7-ae6e-edf7a71a2ac6","x-minio-origin-endpoint":"http://127.0.0.1:9000"},"s3":{"s3SchemaVersion":"1.0","configurationId":"Config","bucket":{"name":"files","ownerIdentity":{"principalId":"cairn"},"arn":"arn:aws:s3:::files"},"object":{"key":"acc_1%2Fnotes%2Fa+b%2Fit%27s+%281%29+%26+more+%2B+100%2541+%23%C3%BC%3F.txt","size":9,"eTag":"552e21cd4cd9918678e3c1a0df491bc3","contentType":"text/plain","userMetadata":{"content-type":"text/plain"},"sequencer":"18EA45BF453FF829"}},"source":{"host":"127.0.0.1","port":"","userAgent":"node"}}]}`

const record = (key: unknown) => ({ s3: { object: { key } } })
const records = (...keys: readonly unknown[]) => JSON.stringify({ Records: keys.map(record) })

it('reads the key of an event in the encoding of the store', () => {
  expect(keysIn(asReceived)).toEqual(["acc_1/notes/a b/it's (1) & more + 100%41 #ü?.txt"])
})

it('reads every key of an event with several, in either encoding', () => {
  expect(keysIn(records('a/b/one.txt', 'a/b/t%C3%BCwo+2.txt', 'a%2Fb%2F100%25.txt'))).toEqual([
    'a/b/one.txt',
    'a/b/tüwo 2.txt',
    'a/b/100%.txt',
  ])
})

it.each<[string, unknown]>([
  ['an object', JSON.parse(asReceived)],
  ['nothing', undefined],
  ['no JSON', '{"Records":'],
  ['the test event of a store', '{"Service":"Amazon S3","Event":"s3:TestEvent","Bucket":"files"}'],
  ['records that are none', '{"Records":[{"s3":{}}]}'],
  ['a key that is no text', records(7)],
  ['a key that is wrongly encoded', records('a/b/100%.txt')],
])('finds no key in %s', (_, raw) => {
  expect(keysIn(raw)).toEqual([])
})

it('removes an object at once only if its namespace was deleted', async () => {
  const { clock } = createManualClock(wallAt)
  const store = stepwiseStore({ now: clock.monotonic })
  const { accountId, deleteInput } = await createFileScene(store)
  const files = memoryFiles(clock.now)
  const gone = namespaceInput(accountId)
  await store.createNamespace(gone)
  const deletionId = mint('del')
  const going = await store.beginNamespaceDeletion(gone.id, deletionId, wallAt)
  if (!going) throw new Error('not there')
  await store.deletions.insertOfNamespace(going, {
    space: deleteInput([]).space,
    correlationId: '',
    traceparent: null,
    at: wallAt,
  })
  await store.deletions.lease(deletionId, 'mine')
  await store.deletions.releaseNamespace({ jobId: deletionId, token: 'mine' }, { removed: {}, at: wallAt })
  const keys = [gone.id, 'ns_unknown'].map((id) => objectKey(files, { id, accountId, name: gone.name }, 'a.txt'))
  for (const key of keys) await files.put(key, Buffer.from('late'), { contentType: 'text/plain' })
  const log = createLogger({ level: 'silent', name: 'test' })
  const handle = onObjectEvent({
    store,
    files,
    clock,
    log,
    ids: { next: mint },
    tiers: defaultTiers,
    send: async () => undefined,
  })
  const envelope = { id: 'm', type: 'object', key: 'k', correlationId: '', occurredAt: '', data: records(...keys) }
  await handle(envelope)
  expect((await files.list({ prefix: '', limit: 9 })).map(({ key }) => key)).toEqual([keys[1]])
})
