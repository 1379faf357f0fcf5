import { operations } from '@cairn/contracts/api/operations'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../client.ts'
import { createNamespace, freshName, removeNamespace, upload } from '../../story.ts'
import { longText, refused, useScene } from './scene.ts'

const scene = useScene()
const page = operations.fetchTextData

beforeAll(async () => {
  await upload(
    scene.api,
    scene.text.namespace_name,
    Array.from({ length: 5 }, (_, turn) => ({ id: `d${turn}`, text: longText })),
  )
})

const tokenOf = async (api: Client, namespace: string): Promise<string> => {
  const { body } = await api.call(page, { params: { namespace_name: namespace }, query: { limit: '1' } }, 200)
  return body.pagination.next_token ?? ''
}

describe('B23: limits of a page', () => {
  const bad = [
    '0',
    '-1',
    '1.5',
    '1e9',
    '1e1',
    '100abc',
    'abc',
    '',
    ' 5',
    '5 ',
    '+5',
    '05',
    '0x10',
    '１',
    'null',
    'Infinity',
    'NaN',
    '101',
    '999999999999999999999',
    '[5]',
    '{}',
    '5,6',
  ]
  it.each(bad.map((limit) => [limit]))('%j is refused', async (limit) => {
    const failure = await refused(
      scene.api,
      page,
      { params: scene.text, query: { limit } },
      { says: /limit .*1 to 100/ },
    )
    expect(failure.details).toMatchObject({ field: 'limit' })
  })

  it('are refused when repeated or given as a list', async () => {
    await refused(scene.api, page, { params: scene.text, query: { limit: ['1', '2'] } }, { says: /limit/ })
    await refused(scene.api, page, { params: scene.text, query: { limit: ['5', '5'] } }, { says: /limit/ })
    await refused(scene.api, page, { params: scene.text, query: { 'limit[]': ['5', '6'] } }, { says: /limit/ })
  })

  it('are 1 to 100, 100 when not given', async () => {
    for (const limit of ['1', '2', '99', '100']) {
      const { body } = await scene.api.call(page, { params: scene.text, query: { limit } }, 200)
      expect(body.pagination.limit).toBe(Number(limit))
      expect(body.items).toHaveLength(Math.min(5, Number(limit)))
    }
    expect((await scene.api.call(page, { params: scene.text }, 200)).body.pagination.limit).toBe(100)
    expect((await scene.api.call(page, { params: scene.text, query: { unknown: 'x' } }, 200)).body.items).toHaveLength(
      5,
    )
  })
})

describe('fields of a page', () => {
  it.each(['', 'all', 'heads', 'HEAD', 'head ', 'text'].map((fields) => [fields]))('%j is refused', async (fields) => {
    const failure = await refused(
      scene.api,
      page,
      { params: scene.text, query: { fields } },
      { says: /fields must be "head"/ },
    )
    expect(failure.details).toMatchObject({ field: 'fields' })
  })

  it('are refused when repeated', async () => {
    await refused(scene.api, page, { params: scene.text, query: { fields: ['head', 'head'] } }, { says: /fields/ })
  })
})

describe('B24: tokens of a page', () => {
  const flip = (token: string, index: number) => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const value = letters.indexOf(token[index] ?? '')
    return token.slice(0, index) + letters[value ^ 1] + token.slice(index + 1)
  }
  const refusalOf = async (token: string | readonly string[]) => {
    const { request_id: _, ...body } = await refused(scene.api, page, {
      params: scene.text,
      query: { next_token: token },
    })
    return body
  }

  it('open nothing when one bit of them is altered, wherever it is', async () => {
    const token = await tokenOf(scene.api, scene.text.namespace_name)
    const expected = await refusalOf('nonsense')
    expect(expected.message).toBe('next_token does not match the requested namespace')
    for (let index = 0; index < token.length; index += 1)
      expect(await refusalOf(flip(token, index)), `at ${index}`).toEqual(expected)
    await scene.api.call(page, { params: scene.text, query: { next_token: token } }, 200)
  })

  it('are all refused alike when they are wrong, whatever is wrong with them', async () => {
    const token = await tokenOf(scene.api, scene.text.namespace_name)
    const expected = await refusalOf('nonsense')
    const otherNamespace = await createNamespace(scene.api)
    const documents = Array.from({ length: 3 }, (_, turn) => ({ id: `o${turn}`, text: longText }))
    await upload(scene.api, otherNamespace, documents)
    const stranger = await scene.story.member()
    await stranger.api.call(operations.createNamespace, { body: { ...scene.text, type: 'text' } }, 201)
    await upload(stranger.api, scene.text.namespace_name, documents)
    const wrong = {
      'of another namespace': await tokenOf(scene.api, otherNamespace),
      'of another account, the name being the same': await tokenOf(stranger.api, scene.text.namespace_name),
      truncated: token.slice(0, -1),
      extended: `${token}A`,
      doubled: token + token,
      'padded base64': `${token}=`,
      'a token and a blank': `${token} `,
      JSON: Buffer.from('{"userId":"acc_first","id":"d1"}').toString('base64url'),
      'an id': 'd1',
      'a path': '../../secret',
      'ten kilobytes': 'A'.repeat(10_240),
      zeros: 'A'.repeat(64),
    }
    for (const [name, sent] of Object.entries(wrong)) expect(await refusalOf(sent), name).toEqual(expected)
  })

  it('die with the namespace they are of, also when its name comes back', async () => {
    const expected = await refusalOf('nonsense')
    const name = await createNamespace(scene.api)
    const params = { namespace_name: name }
    const documents = Array.from({ length: 3 }, (_, turn) => ({ id: `d${turn}`, text: longText }))
    await upload(scene.api, name, documents)
    const token = await tokenOf(scene.api, name)
    await removeNamespace(scene.api, name)
    await refused(scene.api, page, { params, query: { next_token: token } }, { status: 404 })
    await scene.api.call(operations.createNamespace, { body: { namespace_name: name, type: 'text' } }, 201)
    await upload(scene.api, name, documents)
    const { request_id: _, ...body } = await refused(scene.api, page, { params, query: { next_token: token } })
    expect(body).toEqual(expected)
  })

  it('of a megabyte do not even arrive', async () => {
    const response = await fetch(
      `${scene.api.url}/v1/namespaces/${scene.text.namespace_name}/documents/fetch-text-data?next_token=${'A'.repeat(1_048_576)}`,
      {
        headers: { 'x-api-key': scene.member.apiKey },
      },
    )
    expect([response.status, await response.json()]).toMatchObject([431, { status: 'failure' }])
  })

  it('must be one, and not empty', async () => {
    const token = await tokenOf(scene.api, scene.text.namespace_name)
    expect((await refusalOf('')).message).toMatch(/next_token/)
    expect((await refusalOf([token, token])).message).toMatch(/next_token/)
  })

  it('show nothing of what is inside, and differ each time', async () => {
    const name = freshName()
    await scene.api.call(operations.createNamespace, { body: { namespace_name: name, type: 'text' } }, 201)
    await upload(scene.api, name, [
      { id: 'canary-id-1', text: longText },
      { id: 'canary-id-2', text: longText },
    ])
    const [one, two] = [await tokenOf(scene.api, name), await tokenOf(scene.api, name)]
    expect(one).not.toBe(two)
    for (const token of [one, two]) {
      const bytes = Buffer.from(token, 'base64url').toString('latin1')
      for (const inside of ['canary', name, scene.member.accountId]) expect(bytes).not.toContain(inside)
    }
  })
})
