import { expect, it, vi } from 'vitest'
import { useGateway } from './files/gateway-scene.fixture.ts'

const gateway = useGateway()

it('answers a request that waits with the state of now when the service stops', async () => {
  const { json, call } = await gateway().open()
  const documents = [{ id: 'a', text: 'A text that nobody indexes here.' }]
  const { body } = await json('POST', 'documents', { documents })
  const reads = vi.spyOn(gateway().store.uploads, 'get')
  const waiting = call('GET', `uploads/${body['upload_id']}?wait=60`)
  await vi.waitFor(() => expect(reads).toHaveBeenCalled())
  await gateway().close()
  expect(await waiting).toMatchObject({ status: 200, body: { processing_status: 'in_progress' } })
})
