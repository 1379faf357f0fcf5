import { operations } from '@cairn/contracts/api/operations'
import { eventually } from '@cairn/testing/eventually'
import { describe, expect, it } from 'vitest'
import { createNamespace, freshName, listed, upload, useTarget } from '../story.ts'

const story = useTarget()

const update = (accountId: string, body: Readonly<Record<string, unknown>>) =>
  story.admin.call(operations.updateAccount, { params: { account_id: accountId }, body }, 200)

describe('accounts', () => {
  it('are made, listed and moved to another tier by the operator', async () => {
    const name = freshName('account')
    const made = await story.admin.call(operations.createAccount, { body: { name, tier: 'community' } }, 201)
    const { account_id: accountId } = made.body
    expect(made.body).toMatchObject({
      name,
      tier: 'community',
      status: 'active',
      subscription_ends_at: null,
      namespaces: 0,
      documents: 0,
    })
    expect((await update(accountId, { tier: 'professional' })).body).toMatchObject({
      account_id: accountId,
      tier: 'professional',
    })
    const all = await story.admin.sdk.admin.accounts.list()
    expect(all.filter((account) => account.account_id === accountId)).toMatchObject([{ name, tier: 'professional' }])
  })

  it('can be asked what they use of their plan', async () => {
    const { accountId, api } = await story.member({ tier: 'community' })
    const name = await createNamespace(api)
    await upload(api, name, [{ id: 'a', text: 'A document that is long enough.' }])
    const read = () => story.admin.sdk.admin.accounts.usage(accountId)
    const usage = await eventually(read, ({ requests }) => requests.used === 2, { withinMs: 5_000, everyMs: 50 })
    expect(usage).toMatchObject({
      tier: 'community',
      period: new Date().toISOString().slice(0, 7),
      requests: { used: 2, limit: 100_000 },
      credits: { used: 2 },
      namespaces: { used: 1, limit: 10 },
      documents: { used: 1, limit: 10_000 },
      vectors: { used: 0, limit: 10_000 },
    })
  })

  it('get the rest of their plan with every answer', async () => {
    const { api } = await story.member({ tier: 'community' })
    const answers = [
      await api.call(operations.listNamespaces, {}, 200),
      await api.call(operations.deleteNamespace, { params: { namespace_name: 'not-there' } }, 404),
      await api.call(operations.search, { body: {} }, 400),
    ]
    expect(answers.map(({ headers }) => headers.get('ratelimit')?.replace(/t=\d+/, 't='))).toEqual([
      '"requests";r=99999;t=',
      '"requests";r=99998;t=',
      '"requests";r=99997;t=',
    ])
    for (const { headers } of answers) expect(headers.get('ratelimit-policy')).toMatch(/^"requests";q=100000;w=\d+$/)
  })

  it('are refused once their subscription has ended, without figures of usage', async () => {
    const { accountId, api } = await story.member({ tier: 'community' })
    const ended = new Date(Date.now() - 86_400_000)
    expect((await update(accountId, { subscription_ends_at: ended.toISOString() })).body.status).toBe('expired')
    const { body } = await api.call(operations.listNamespaces, {}, 429)
    const day = `${ended.getUTCMonth() + 1}/${ended.getUTCDate()}/${ended.getUTCFullYear()}`
    expect(body.message).toMatch(new RegExp(`Community .*expired on ${day}`))
    expect(body).not.toHaveProperty('current_usage')
    expect(body).not.toHaveProperty('limit')
    expect((await update(accountId, { subscription_ends_at: null })).body).toMatchObject({
      status: 'active',
      subscription_ends_at: null,
    })
  })

  it('that do not exist are 404 everywhere, and a tier that does not exist is 400', async () => {
    const params = { account_id: 'acc_nobody' }
    await story.admin.call(operations.updateAccount, { params, body: { tier: 'community' } }, 404)
    await story.admin.call(operations.createKey, { params, body: { name: 'x' } }, 404)
    await story.admin.call(operations.listKeys, { params }, 404)
    await story.admin.call(operations.getUsage, { params }, 404)
    await story.admin.call(operations.updateKey, { params: { key_id: 'nobody' }, body: { state: 'disabled' } }, 404)
    const refused = await story.admin.call(operations.createAccount, { body: { name: 'x', tier: 'platinum' } }, 400)
    expect(refused.body.message).toMatch(/community/)
    await story.admin.call(operations.createAccount, { body: { name: 'x', tier: 'constructor' } }, 400)
  })

  it('take no field they were not asked for', async () => {
    const { accountId, api } = await story.member({ tier: 'community' })
    const body = {
      namespace_name: freshName(),
      type: 'text',
      account_id: 'acc_first',
      item_count: 7,
      created_at: '2001-01-01T00:00:00Z',
    }
    await api.call(operations.createNamespace, { body }, 201)
    const [namespace] = await listed(api)
    expect(namespace?.item_count).toBe(0)
    expect(Date.parse(namespace?.created_at ?? '')).toBeGreaterThan(Date.now() - 60_000)
    await update(accountId, { tier: 'professional', documents: 5, account_id: 'acc_first' })
    const usage = await story.admin.sdk.admin.accounts.usage(accountId)
    expect(usage).toMatchObject({ tier: 'professional', documents: { used: 0 }, namespaces: { used: 1 } })
  })
})
