import { operations } from '@cairn/contracts/api/operations'
import { eventually } from '@cairn/testing/eventually'
import { describe, it } from 'vitest'
import type { Client } from '../client.ts'
import { listed, useTarget } from '../story.ts'

const story = useTarget()

type Answer = Awaited<ReturnType<Client['any']>>

/**
 * Lists namespaces repeatedly until `accept` returns true for the response; gives up after five seconds, for which
 * processes may cache keys and accounts.
 */
const seen = (api: Client, accept: (answer: Answer) => boolean): Promise<Answer> =>
  eventually(() => api.any(operations.listNamespaces), accept, { withinMs: 5_000, everyMs: 50 })
const setState = (keyId: string, state: string) =>
  story.admin.call(operations.updateKey, { params: { key_id: keyId }, body: { state } }, 200)
const update = (accountId: string, body: object) =>
  story.admin.call(operations.updateAccount, { params: { account_id: accountId }, body }, 200)

// Each test uses its key before the change, so that the server has cached it. The tests run concurrently because they
// mostly wait; vitest runs five at once by default.
describe('what the operator changes takes effect within five seconds', () => {
  it.concurrent('when a key is revoked or disabled: it is refused, while another of its account goes on', async () => {
    const revoked = await story.member()
    const [disabled, other] = [await story.key(revoked.accountId), await story.key(revoked.accountId)]
    for (const { api } of [revoked, disabled, other]) await listed(api)
    await setState(revoked.keyId, 'revoked')
    await setState(disabled.keyId, 'disabled')
    await Promise.all([
      seen(revoked.api, ({ status, body }) => status === 401 && body['message'] === 'Unauthorized: Invalid API key'),
      seen(
        disabled.api,
        ({ status, body }) => status === 401 && body['message'] === 'Unauthorized: API key is disabled',
      ),
    ])
    await listed(other.api)
  })

  it.concurrent('when an inactive key is activated', async () => {
    const { keyId, api } = await story.member()
    await setState(keyId, 'inactive')
    await api.call(operations.listNamespaces, {}, 403)
    await setState(keyId, 'active')
    await seen(api, ({ status }) => status === 200)
  })

  it.concurrent('when a subscription ends', async () => {
    const { accountId, api } = await story.member()
    await listed(api)
    await update(accountId, { subscription_ends_at: new Date().toISOString() })
    await seen(api, ({ status }) => status === 429)
  })

  it.concurrent('when a subscription is renewed', async () => {
    const { accountId, api } = await story.member()
    await update(accountId, { subscription_ends_at: new Date().toISOString() })
    await api.call(operations.listNamespaces, {}, 429)
    await update(accountId, { subscription_ends_at: new Date(Date.now() + 3_600_000).toISOString() })
    await seen(api, ({ status }) => status === 200)
  })

  it.concurrent('when an account moves to another tier', async () => {
    const { accountId, api } = await story.member({ tier: 'community' })
    await listed(api)
    await update(accountId, { tier: 'professional' })
    await seen(api, ({ headers }) => headers.get('ratelimit-policy')?.startsWith('"requests";q=1000000;') === true)
  })
})
