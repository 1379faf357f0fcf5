import { operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import { checkAnswer } from '../../check-answer.ts'
import { httpCall } from '../../raw-http.ts'
import { idsFound, index, listed, removeNamespace } from '../../story.ts'
import { longText, refused, useScene } from './scene.ts'

const scene = useScene()

describe('B10: names of namespaces', () => {
  const bad = [
    '',
    '.',
    '..',
    '%2e%2e',
    'a/b',
    'a\\b',
    'a%00',
    'a\u0000',
    'Ａ',
    'é',
    '🪨',
    ' a',
    'a b',
    'a.b',
    'a:b',
    "a'b",
    '$a',
    'a\n',
    '-\u2010',
    'x'.repeat(129),
    'x'.repeat(10_240),
  ]
  it.each(bad.map((name) => [name.length > 40 ? `${name.length} characters` : JSON.stringify(name), name]))(
    '%s is refused',
    async (_shown, name) => {
      const before = await listed(scene.api)
      for (const type of [{ type: 'text' }, { type: 'vector', vector_dimension: 3 }]) {
        const failure = await refused(
          scene.api,
          operations.createNamespace,
          { body: { namespace_name: name, ...type } },
          { says: /namespace_name .*only letters, digits, hyphens and underscores/ },
        )
        expect(failure.details).toMatchObject({ field: 'namespace_name' })
      }
      await refused(
        scene.api,
        operations.search,
        { body: { query: 'x', namespaces: [name] } },
        { status: name === '' ? 400 : 404 },
      )
      expect(await listed(scene.api)).toEqual(before)
    },
  )

  const noNames: readonly (readonly [name: string, value: unknown])[] = [
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['a list', ['a']],
    ['an object', { $ne: null }],
    ['true', true],
  ]
  it.each(noNames)('%s is no name', async (_shown, value) => {
    await refused(
      scene.api,
      operations.createNamespace,
      { body: { namespace_name: value, type: 'text' } },
      { says: /namespace_name/ },
    )
    await refused(scene.api, operations.search, { body: { query: 'x', namespaces: [value] } }, { says: /namespaces/ })
  })

  it.each([
    ['__proto__'],
    ['constructor'],
    ['prototype'],
    ['toString'],
    ['-'],
    ['_'],
    ['0'],
    ['null'],
    ['A'],
    ['a'],
    ['x'.repeat(128)],
  ])('%s is a name like any other', async (name) => {
    const params = { namespace_name: name }
    await scene.api.call(operations.createNamespace, { body: { namespace_name: name, type: 'text' } }, 201)
    await scene.api.call(operations.createNamespace, { body: { namespace_name: name, type: 'text' } }, 409)
    await index(scene.api, name, [{ id: name, text: longText }])
    expect(await idsFound(scene.api, [name], longText)).toEqual([name])
    await scene.api.call(operations.getDocuments, { params, body: { ids: [name] } }, 200)
    expect((await listed(scene.api)).find((one) => one.namespace_name === name)).toMatchObject({ item_count: 1 })
    await removeNamespace(scene.api, name)
    await scene.api.call(operations.getDocuments, { params, body: { ids: [name] } }, 404)
  })

  it.each([
    ['text type', { type: 'TEXT' }],
    ['no type', {}],
    ['another type', { type: 'file' }],
    ['a type of a list', { type: ['text'] }],
    ['a type of null', { type: null }],
  ])('%s is refused', async (_shown, body) => {
    await refused(
      scene.api,
      operations.createNamespace,
      { body: { namespace_name: 'fine', ...body } },
      { says: /type .*"text" or "vector"/ },
    )
  })

  it.each([[0], [-1], [1.5], [4_097], [1e9], ['384'], [null], [undefined], [[384]], [true]])(
    'the dimension %j is refused',
    async (dimension) => {
      const body = { namespace_name: 'fine', type: 'vector', vector_dimension: dimension }
      await refused(scene.api, operations.createNamespace, { body }, { says: /vector_dimension .*1 to 4096/ })
    },
  )
})

describe('B10: names in paths', () => {
  const headers = () => ({ 'x-api-key': scene.member.apiKey })
  const page = (name: string) => `/v1/namespaces/${name}/documents/fetch-text-data`
  const ask = async (path: string, method = 'GET') => {
    const answer = await httpCall(scene.story.target.url, { method, path, headers: headers() })
    checkAnswer(operations.fetchTextData, answer)
    const { request_id: _, ...body } = JSON.parse(answer.text) as Record<string, unknown>
    return { status: answer.status, body, ms: answer.ms }
  }

  it.each([
    ['..'],
    ['%2e%2e'],
    ['%2E%2E'],
    ['a%2fb'],
    ['..%2f..%2fetc'],
    ['a%00'],
    ['%EF%BC%A1'],
    ['a%20b'],
    ['%F0%9F%AA%A8'],
    ['a;b'],
    ['a%0d%0ax:%20y'],
    ['x'.repeat(10_240)],
    ['*'],
    ['%25'],
  ])('%s names nothing, in the words for every name that is not there', async (name) => {
    const { status, body, ms } = await ask(page(name))
    expect(status).toBe(404)
    expect(ms).toBeLessThan(2_000)
    expect(JSON.stringify(body)).not.toContain('x: y')
    const wholly = await ask(page(`${'x'.repeat(128)}!`))
    expect(body).toEqual(wholly.body)
  })

  it('that are not percent-encoded UTF-8 are refused', async () => {
    for (const name of ['%', '%zz', '%C3%28', '%c0%ae', '%ff'])
      expect(await ask(page(name)), name).toMatchObject({ status: 400 })
  })

  it('that lead elsewhere lead nowhere', async () => {
    for (const path of [
      page('a/b'),
      '/v1/namespaces/../../etc/passwd',
      '/../../etc/passwd',
      '//v1//namespaces',
      '/v1/namespaces/%2e%2e/%2e%2e/x',
      '/V1/namespaces',
      '/v1/namespaces/a/documents/fetch-text-data/more',
    ]) {
      expect(await ask(path), path).toMatchObject({ status: 404 })
    }
  })

  it('that are empty are asked for', async () => {
    for (const [path, method] of [
      [page(''), 'GET'],
      ['/v1/namespaces//documents', 'POST'],
      ['/v1/namespaces//documents/get', 'POST'],
      ['/v1/namespaces//vectors/delete', 'POST'],
      ['/v1/namespaces//uploads/x', 'GET'],
    ] as const) {
      const answer = await httpCall(scene.story.target.url, {
        method,
        path,
        headers: { ...headers(), 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: ['{}'] } : {}),
      })
      checkAnswer(operations.fetchTextData, answer)
      expect([path, answer.status, JSON.parse(answer.text)]).toMatchObject([
        path,
        400,
        { message: 'namespace is required' },
      ])
    }
  })
})
