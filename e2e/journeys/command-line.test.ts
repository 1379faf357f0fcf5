import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cairn as runHere } from '@cairn/cli/run.fixture'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import { freshName, useTarget } from '../story.ts'

const story = useTarget()

/** Runs the command in this process against the target. */
const cairn = async (...args: string[]) => {
  const { url, adminKey, apiKey } = story.target
  const env = { CAIRN_URL: url, CAIRN_ADMIN_KEY: adminKey, CAIRN_API_KEY: apiKey }
  const { code, out, err } = await runHere(env, ...args, '--json')
  return { code, err, data: out === '' ? undefined : JSON.parse(out) }
}

const listWith = async (apiKey: string) => {
  const response = await fetch(`${story.target.url}/v1/namespaces`, { headers: { 'x-api-key': apiKey } })
  await response.arrayBuffer()
  return response.status
}

describe('the command cairn', () => {
  it('makes an account and a key, changes what the key may, and revokes it', async () => {
    const { data: account } = await cairn('accounts', 'create', 'Acme', '--tier', 'community')
    expect((await cairn('accounts', 'update', account.account_id, '--tier', 'professional')).data).toMatchObject({
      tier: 'professional',
    })
    const { data: all } = await cairn('accounts', 'list')
    expect(all.accounts).toContainEqual(
      expect.objectContaining({ account_id: account.account_id, tier: 'professional' }),
    )

    const { data: key } = await cairn('keys', 'create', account.account_id, '--name', 'reader', '--scopes', 'read')
    expect(await listWith(key.api_key)).toBe(200)
    expect(JSON.stringify((await cairn('keys', 'list', account.account_id)).data)).not.toContain(key.api_key)
    const within = { timeout: 6_000, interval: 100 }
    for (const [verb, state, status] of [
      ['deactivate', 'inactive', 403],
      ['activate', 'active', 200],
      ['disable', 'disabled', 401],
      ['revoke', 'revoked', 401],
    ] as const) {
      expect((await cairn('keys', verb, key.api_key, ...(verb === 'revoke' ? ['--yes'] : []))).data).toMatchObject({
        key_id: key.key_id,
        state,
      })
      await expect.poll(() => listWith(key.api_key), within).toBe(status)
    }
    expect(await cairn('keys', 'enable', key.key_id)).toMatchObject({ code: 4 })
    expect((await cairn('usage', account.account_id)).data).toMatchObject({
      tier: 'professional',
      requests: { limit: 1_000_000 },
    })
  })

  it('says what is not there or not usable', async () => {
    expect(await cairn('usage', 'nobody')).toMatchObject({
      code: 4,
      err: expect.stringMatching(/^cairn: Account not found/),
    })
    expect(await cairn('accounts', 'create', 'Acme', '--tier', 'imaginary')).toMatchObject({ code: 2 })
    expect(await cairn('orphans', 'list')).toMatchObject({ code: 0, data: { next: null } })
  })

  it('indexes a folder and searches it', async () => {
    const folder = temporaryDirectory()
    mkdirSync(join(folder, 'trips'))
    writeFileSync(join(folder, 'cairns.md'), '# Cairns\n\nPiles of stones mark the path above the tree line.\n')
    writeFileSync(join(folder, 'trips', 'bread.txt'), 'Knead the dough for ten minutes and let it rest overnight.')
    const namespace = freshName()
    const { code, data } = await cairn(
      'demo',
      folder,
      '--namespace',
      namespace,
      '--query',
      'stones mark the path',
      '--query',
      'knead dough',
    )
    expect(code).toBe(0)
    expect(data).toMatchObject({ namespace, indexed: 2, failed: [] })
    expect(data.searches.map((search: { hits: { id: string }[] }) => search.hits[0]?.id)).toEqual([
      'cairns.md',
      'trips/bread.txt',
    ])
  })
})
