// node e2e/large-namespace/upload-for-ever.ts PLACE ACCOUNT NAMESPACE: uploads vectors and deletes some of them, until it is killed.
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '@cairn/adapters/clock/system'
import { randomIds } from '@cairn/domain/ids'
import { openStore, type StorePlace } from './open-metadata.ts'

const [place = '', accountId = '', namespaceId = ''] = process.argv.slice(2)
const store = openStore(JSON.parse(place) as StorePlace)
const clock = systemClock()
const ids = randomIds(clock.now)
const vector = Float32Array.of(1, 0, 0, 0)
const request = { accountId, namespaceId, correlationId: 'large-namespace', traceparent: null }

const work = async (): Promise<void> => {
  const names = Array.from({ length: 100 }, () => ids.next('late'))
  const documents = names.map((id) => ({ id, body: { text: '', metadata: '{}', vector } }))
  const at = clock.now()
  await store.accept({
    ...request,
    uploadId: ids.next('upload_vec'),
    kind: 'vectors',
    documents,
    rejected: [],
    limit: null,
    at,
  })
  const deletion = {
    deletionId: ids.next('deletion'),
    namespaceName: 'large',
    space: { key: 'vectors-4', dimension: 4 },
    at,
  }
  await store.deleteItems({ ...request, ...deletion, ids: names.slice(0, 20) })
  process.stdout.write('.')
}

await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (;;) await work().catch(() => pause(50))
  }),
)
