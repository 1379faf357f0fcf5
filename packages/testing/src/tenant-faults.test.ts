import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { account, namespaceInput } from '@cairn/domain/protocol/scene.fixture'
import { expect, it, onTestFinished } from 'vitest'
import { stepwiseStore } from './stepwise-store.ts'
import { temporaryFile } from './temporary.ts'
import { tenantFaults } from './tenant-faults.ts'

const setUp = async () => {
  const bare = {
    store: stepwiseStore({ now: () => 0 }),
    vectors: sqliteVectorIndex({ file: temporaryFile() }),
    bus: inMemoryMessageBus(),
  }
  onTestFinished(async () => {
    await bare.bus.close()
    await bare.vectors.close()
  })
  for (const id of ['acc_1', 'acc_2']) await bare.store.accounts.insert(account(id))
  const { ports, tenant } = tenantFaults(bare)
  const create = (accountId: string, name: string) =>
    ports.store.createNamespace({ ...namespaceInput(accountId, 'text', name), id: `ns_${name}` })
  return { bare, ports, tenant, create }
}

it('fails the write of one tenant that its fault names, and no other', async () => {
  const { ports, tenant, create, bare } = await setUp()
  const [one, other] = [tenant('acc_1', { k: 2, when: 'before' }), tenant('acc_2')]
  await create('acc_1', 'a')
  await create('acc_2', 'b')
  await expect(create('acc_1', 'c')).rejects.toMatchObject({ code: 'unavailable' })
  await create('acc_1', 'd')
  expect((await bare.store.namespaces.ofAccount('acc_1')).map(({ name }) => name)).toEqual(['a', 'd'])
  expect([one.hit, other.hit]).toEqual(['createNamespace', undefined])
  await ports.store.beginNamespaceDeletion('ns_b', 'deletion_1', 0)
  expect(other.names).toEqual(['createNamespace', 'beginNamespaceDeletion'])
})

it('recognises a tenant by the subjects of its writes', async () => {
  const { ports, tenant, create } = await setUp()
  const { names } = tenant('acc_1')
  await create('acc_1', 'a')
  await ports.store.beginNamespaceDeletion('ns_a', 'deletion_1', 0)
  await ports.store.deletions.requeue(
    { jobId: 'deletion_1', token: 'lease_1' },
    { delayMs: 0, error: null, counted: false },
  )
  await ports.vectors.removeNamespace({ key: 'k', dimension: 2 }, 'ns_a', 10)
  await ports.bus.publish('t', [
    { id: 'm', type: 't', key: 'k', correlationId: 'c', occurredAt: '', data: { namespaceId: 'ns_a' } },
  ])
  await ports.store.namespaces.get('ns_a')
  await ports.store.usage.add([{ accountId: 'acc_1', period: '2026-01', requests: 1, credits: 1 }])
  expect(names).toEqual([
    'createNamespace',
    'beginNamespaceDeletion',
    'deletions.requeue',
    'removeNamespace',
    'publish',
  ])
})

it('does the write whose outcome is to be unknown', async () => {
  const { tenant, create, bare } = await setUp()
  tenant('acc_1', { k: 1, when: 'after' })
  await expect(create('acc_1', 'a')).rejects.toMatchObject({ code: 'unavailable' })
  expect(await bare.store.namespaces.ofAccount('acc_1')).toHaveLength(1)
})
