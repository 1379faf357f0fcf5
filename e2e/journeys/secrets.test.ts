import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type operationList, operations } from '@cairn/contracts/api/operations'
import { expect, it } from 'vitest'
import type { Sent } from '../client.ts'
import { describeOn } from '../describe-on.ts'
import { httpCall } from '../raw-http.ts'
import { createNamespace, index, type Member, search, settled, upload, useStandalone, walk } from '../story.ts'

// X6 and X8: performs every kind of request with words and keys that occur nowhere else, then searches logs, responses
// and files for them.

const canary = (name: string) => `${name}${randomBytes(9).toString('hex')}`

describeOn(['standalone'], 'secrets', () => {
  const secret = randomBytes(36).toString('base64url')
  const adminKey = randomBytes(36).toString('base64url')
  const story = useStandalone({ env: { CAIRN_LOG_LEVEL: 'debug', CAIRN_SECRET: secret, CAIRN_ADMIN_KEY: adminKey } })

  const words = {
    text: canary('heron'),
    replaced: canary('egret'),
    refused: canary('bittern'),
    query: canary('plover'),
    metadata: canary('curlew'),
    vectorText: canary('dunlin'),
    malformed: canary('godwit'),
  }
  /** Bodies of all error responses. */
  const refusals: string[] = []

  const workload = async (member: Member): Promise<void> => {
    const { api, apiKey } = member
    const name = await createNamespace(api)
    const params = { namespace_name: name }
    const documents = [
      { id: 'a', text: `The ${words.text} stands in the reeds.`, note: words.metadata },
      { id: 'b', text: `Another ${words.text} flew away.`, tags: [words.metadata] },
    ]
    await index(api, name, documents)
    await index(api, name, [{ id: 'a', text: `An ${words.replaced} took its place.` }])
    await search(api, [name], `${words.query} in the reeds #note:${words.metadata}`)
    await api.call(operations.getDocuments, { params, body: { ids: ['a'] } }, 200)
    await walk(api, name, 1)
    const short = await api.call(
      operations.uploadDocuments,
      {
        params,
        body: {
          documents: [
            { id: 'c', text: words.refused.slice(0, 9) },
            { id: 'd', text: `${words.refused}\u0000` },
          ],
        },
      },
      207,
    )
    await settled(api, name, short.body.upload_id)
    const vectors = await createNamespace(api, { type: 'vector', vector_dimension: 2 })
    const vector = { id: 'v', vector: [0.25, 0.5], text: words.vectorText, note: words.metadata }
    await api.call(
      operations.uploadVectors,
      { params: { namespace_name: vectors }, body: { vectors: [vector, { ...vector, id: 'w', vector: [1] }] } },
      207,
    )
    await search(api, [vectors], [0.25, 0.5])

    const bad: readonly (readonly [typeof api, (typeof operationList)[number], Sent])[] = [
      [api, operations.uploadDocuments, { params, raw: `{"documents":[{"id":"x","text":"${words.malformed} ` }],
      [api, operations.uploadDocuments, { params, raw: `${words.malformed}` }],
      [
        api,
        operations.uploadDocuments,
        { params, body: { documents: [{ text: `${words.malformed} has no id, and is long enough to be cut.` }] } },
      ],
      [
        api,
        operations.uploadVectors,
        { params: { namespace_name: vectors }, body: { vectors: [{ ...vector, vector: [words.malformed, 1] }] } },
      ],
      [api, operations.search, { body: { query: words.query, namespaces: [name, 'not-there'] } }],
      [api, operations.search, { body: { query: words.query.repeat(500), namespaces: [name] } }],
      [api, operations.search, { body: { query: words.query, namespaces: [vectors] } }],
      [api, operations.createNamespace, { body: { namespace_name: name, type: 'text', note: words.metadata } }],
      // B31: a key in the wrong place is neither read nor stored.
      [story.visitor, operations.listNamespaces, { query: { 'x-api-key': apiKey, api_key: apiKey, key: adminKey } }],
      [
        story.visitor,
        operations.search,
        { body: { query: words.query, namespaces: [name], 'x-api-key': apiKey, api_key: apiKey } },
      ],
      [
        story.visitor,
        operations.listNamespaces,
        { headers: { authorization: `Bearer ${apiKey}`, cookie: `x-api-key=${apiKey}` } },
      ],
      [story.visitor.with({ 'x-api-key': `${apiKey.slice(0, -1)}!` }), operations.listNamespaces, {}],
      [story.visitor.with({ 'x-api-key': adminKey }), operations.listNamespaces, {}],
      [story.visitor.with({ 'x-admin-key': `${adminKey}x` }), operations.listAccounts, {}],
      [story.visitor.with({ 'x-admin-key': apiKey }), operations.listAccounts, {}],
      [story.admin, operations.createAccount, { body: { name: 'x', tier: 'platinum', adminKey } }],
    ]
    for (const [client, operation, sent] of bad) {
      const { status, body } = await client.any(operation, sent)
      expect(status).toBeGreaterThanOrEqual(400)
      refusals.push(JSON.stringify(body))
    }
    for (const path of [
      `/v1/${apiKey}`,
      `/${adminKey}?x-api-key=${apiKey}`,
      `/v1/namespaces/a%2f${apiKey}/documents/get`,
      `/v1/search?${apiKey}`,
    ]) {
      const answer = await httpCall(story.target.url, {
        path,
        headers: { 'x-api-key': apiKey, referer: `https://x.example/?key=${apiKey}` },
      })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      refusals.push(answer.text)
    }
    await api.call(operations.deleteDocuments, { params, body: { ids: ['b'] } }, 200)
    await api.call(operations.deleteNamespace, { params: { namespace_name: vectors } }, 202)
  }

  /** Returns every file of the data directory except those that hold a secret. */
  const stored = (): { readonly name: string; readonly bytes: Buffer }[] => {
    const { dataDir } = story.target
    return readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !['api-key', 'admin-key', 'secret'].includes(entry.name))
      .map((entry) => ({ name: entry.name, bytes: readFileSync(join(entry.parentPath, entry.name)) }))
  }
  /** Returns a secret as plain text and in its encoded forms. */
  const spellings = (of: string): string[] => [
    of,
    Buffer.from(of).toString('hex'),
    Buffer.from(of).toString('base64url').slice(0, -2),
  ]
  const holds = (bytes: Buffer, of: string) =>
    spellings(of).some((spelling) => bytes.includes(spelling) || bytes.includes(Buffer.from(spelling, 'utf16le')))

  it('are in no log line, figure, refusal or file that was not made to hold them', async () => {
    const first = story.target.apiKey
    const members = [await story.member(), await story.member({ tier: 'community' })]
    for (const member of members) await workload(member)
    const reader = await story.key(members[0]?.accountId ?? '', { scopes: ['read'] })
    refusals.push(
      JSON.stringify(
        (await reader.api.any(operations.createNamespace, { body: { namespace_name: 'x', type: 'text' } })).body,
      ),
    )
    const last = members[0] as Member
    const name = await createNamespace(last.api)
    await upload(
      last.api,
      name,
      Array.from({ length: 50 }, (_, turn) => ({ id: `late${turn}`, text: `${words.text} was under way.` })),
    )
    await story.target.kill()
    await story.target.restart()
    await search(last.api, [name], words.query)

    const keys = [...members, reader].map(({ apiKey }) => apiKey)
    // Only the random part is secret; the prefix identifies the key and may be logged.
    const parts = keys.map((key) => key.slice(key.lastIndexOf('_') + 1))
    const figures = (await story.visitor.call(operations.getMetrics, {}, 200)).body
    const state = JSON.stringify((await story.visitor.call(operations.getReadiness, {}, 200)).body)
    const logs = story.target.logs()
    expect(logs).toContain('"level":"info"')
    expect(logs.split(first).length - 1).toBe(1)
    const outputs = { logs: logs.replace(first, ''), figures, state, refusals: refusals.join('\n') }
    const secrets = {
      secret,
      adminKey,
      first,
      ...Object.fromEntries(keys.map((key, index) => [`key ${index}`, key])),
      ...Object.fromEntries(parts.map((part, index) => [`part ${index}`, part])),
    }
    for (const [output, written] of Object.entries(outputs)) {
      for (const [what, value] of Object.entries({ ...secrets, ...words })) {
        expect(
          spellings(value).some((spelling) => written.includes(spelling)),
          `${what} in ${output}`,
        ).toBe(false)
      }
    }

    const check = (): string[] => {
      const files = stored()
      expect(files.map(({ name: file }) => file)).toEqual(expect.arrayContaining(['metadata.db', 'vectors.db']))
      for (const { name: file, bytes } of files) {
        for (const [what, value] of Object.entries(secrets))
          expect(holds(bytes, value), `${what} in ${file}`).toBe(false)
      }
      return files.filter(({ bytes }) => holds(bytes, words.text)).map(({ name: file }) => file)
    }
    // The check finds the stored text, so it would also have found a key.
    expect(check().some((file) => file.startsWith('metadata.db'))).toBe(true)
    await story.target.kill()
    expect(check().some((file) => file.startsWith('metadata.db'))).toBe(true)
  })
})
