import { operations } from '@cairn/contracts/api/operations'
import { expect, it } from 'vitest'
import { index, search, useStandalone } from '../story.ts'

// The discard port, on which nothing listens.
const story = useStandalone({ env: { CAIRN_ANSWER_URL: 'http://127.0.0.1:9/v1', CAIRN_ANSWER_MODEL: 'a-model' } })

it('an answering server that is away costs answers alone: the process is ready and serves the rest', async () => {
  const { api, name: namespace } = await story.room()
  await index(api, namespace, [{ id: 'a', text: 'The spring lies behind the old larch tree.' }])
  const { status } = await api.any(operations.answer, { body: { namespace, query: 'where is the spring' } })
  expect(status).toBe(503)
  expect((await fetch(`${api.url}/readyz`)).status).toBe(200)
  expect((await search(api, [namespace], 'where is the spring')).results).toHaveLength(1)
})
