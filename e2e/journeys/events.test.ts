import { operations } from '@cairn/contracts/api/operations'
import { limits } from '@cairn/contracts/limits'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eventsUntil, followEvents } from '../follow-events.ts'
import { createNamespace, settled, upload, useTarget } from '../story.ts'

const story = useTarget()
const said = (events: readonly { readonly type: string; readonly [field: string]: unknown }[]) =>
  events.map(({ type, id, file_name: file, reason }) =>
    [type, id ?? file, reason].filter((part) => part !== undefined).join(' '),
  )
const text = (id: string, more = '') => ({ id, text: `A text about ${id} that is long enough.${more}` })

describe('events', () => {
  it('record the outcomes of documents, files and namespaces in order', async () => {
    const { api, name, params } = await story.room()
    const upload = async (...documents: object[]) =>
      (await api.any(operations.uploadDocuments, { params, body: { documents } })).body['upload_id'] as string
    await settled(api, name, await upload(text('a'), text('b'), { id: 'c', text: 'short' }))
    await api.call(operations.deleteDocuments, { params, body: { ids: ['a', 'absent'] } }, 200)
    await settled(api, name, await upload(text('b', ' Newer.')))
    const events = await eventsUntil(api, { after: '0' }, (some) => some.filter(({ id }) => id === 'b').length === 4)
    expect(said(events)).toEqual([
      'document.accepted a',
      'document.accepted b',
      'document.searchable a',
      'document.searchable b',
      'document.deleted a',
      'document.accepted b',
      'document.searchable b',
    ])
    expect(events[0]).toEqual({
      position: '1.0',
      type: 'document.accepted',
      namespace_name: name,
      id: 'a',
      upload_id: expect.stringMatching(/^upload_/),
      at: expect.stringMatching(/Z$/),
    })
    expect(events[4]).toMatchObject({ deletion_id: expect.any(String) })
    // Reading can resume after any event, by the query parameter or by the header, which takes precedence.
    const rest = await eventsUntil(api, { after: '1.0' }, (some) => some.length === 6)
    expect(rest).toEqual(events.slice(1))
    const last = events.at(-2)?.position ?? ''
    const resumed = api.with({ 'last-event-id': last })
    expect(await eventsUntil(resumed, { after: '0' }, (some) => some.length === 1)).toEqual(events.slice(-1))
    expect(await eventsUntil(api, { after: '0', namespace: name }, (some) => some.length === 7)).toEqual(events)
  })

  it('end within 5 s of the moment their key is revoked, busy or quiet, and those of other keys go on', async () => {
    const { api, accountId, name } = await story.room()
    const other = await story.key(accountId)
    const ends: number[] = []
    const follow = async (by: typeof api, namespace?: string) => {
      const signal = AbortSignal.timeout(30_000)
      for await (const _ of followEvents(by, { after: '0', signal, ...(namespace && { namespace }) }));
      ends.push(performance.now())
    }
    const streams = [follow(other.api), follow(other.api, name)]
    const going = new AbortController()
    const kept = followEvents(api, { signal: going.signal })
    expect((await kept.next()).value).toMatchObject({ type: 'ready' })
    await story.admin.sdk.admin.keys.setState(other.keyId, 'revoked')
    const revokedAt = performance.now()
    for (let count = 0; ends.length < 2 && performance.now() - revokedAt < 10_000; count += 1)
      await upload(api, name, [text(`busy-${count}`)])
    await Promise.all(streams)
    for (const end of ends) expect(end - revokedAt).toBeLessThan(5_000)
    expect((await kept.next()).value).toMatchObject({ type: 'document.accepted' })
    going.abort()
  })

  it('record the progress of a file', async () => {
    const { api, name, params } = await story.room()
    const granted = await api.call(operations.createUploadUrl, { params, body: { file_name: 'notes.txt' } }, 200)
    const sent = await fetch(granted.body.upload_url, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain' },
      body: 'A note about rivers, and about what crosses them.',
    })
    expect(sent.status).toBe(200)
    const events = await eventsUntil(api, { after: '0' }, (some) => some.some(({ type }) => type === 'file.searchable'))
    const types = events.map(({ type }) => type)
    expect(types[0]).toBe('file.accepted')
    expect(new Set(types.slice(1, -1))).toEqual(new Set(['file.progress']))
    expect(events.at(-1)).toMatchObject({ file_name: 'notes.txt', namespace_name: name })
    expect(events.at(1)).toMatchObject({ stage: expect.any(String), progress: expect.any(Object) })
    await api.call(operations.deleteNamespace, { params }, 202)
    const end = await eventsUntil(
      api,
      { after: events.at(-1)?.position },
      (some) => some.at(-1)?.type === 'namespace.deleted',
    )
    expect(end.at(-1)).toMatchObject({ namespace_name: name, deletion_id: expect.any(String) })
    // No event that named the namespace's content is kept.
    expect(said(await eventsUntil(api, { after: '0' }, (some) => some.length === 1))).toEqual(['namespace.deleted'])
  })

  it('are new ones without a position, and those of one account', async () => {
    const [{ api }, { api: strange }] = [await story.member(), await story.member()]
    const [name, other] = [await createNamespace(api), await createNamespace(strange)]
    for (const [one, namespace, id] of [
      [api, name, 'old'],
      [strange, other, 'strange'],
    ] as const) {
      const sent = { params: { namespace_name: namespace }, body: { documents: [text(id)] } }
      await settled(one, namespace, (await one.call(operations.uploadDocuments, sent, 202)).body.upload_id)
    }
    let uploaded = false
    const events = await eventsUntil(api, {}, (some) => {
      if (!uploaded) {
        uploaded = true
        const sent = { params: { namespace_name: name }, body: { documents: [text('new')] } }
        void api.call(operations.uploadDocuments, sent, 202)
      }
      return some.at(-1)?.type === 'document.searchable'
    })
    expect(said(events)).toEqual(['ready', 'document.accepted new', 'document.searchable new'])
    expect(said(await eventsUntil(strange, { after: '999' }, (some) => some.length === 1))).toEqual(['missed'])
    await api.call(operations.getNamespaceEvents, { params: { namespace_name: other } }, 404)
    for (const after of ['x', '-1', '1.', '1.2.3', '1'.repeat(16)])
      expect((await api.call(operations.getEvents, { query: { after } }, 400)).body.message).toContain('after')
  })

  it('are followed by an account only so many times at once', async () => {
    const { api } = await story.member()
    const connections = new AbortController()
    onTestFinished(() => connections.abort())
    const streams = Array.from({ length: limits.eventStreams }, () =>
      followEvents(api, { signal: connections.signal })[Symbol.asyncIterator](),
    )
    for (const stream of streams) expect((await stream.next()).value).toMatchObject({ type: 'ready' })
    const refused = await api.call(operations.getEvents, {}, 429)
    expect(refused.body.message).toContain(`${limits.eventStreams}`)
    expect(refused.headers.get('retry-after')).toBe('5')
  })
})
