import { expect } from 'vitest'
import type { SentDocument } from './ledger.ts'
import type { Recorded, RecordedClient } from './recorded-client.ts'

/** Helpers of a story: a client with a separate account, and functions that wait for states. */
export type Teller = {
  readonly client: RecordedClient
  /** Repeats a request until it succeeds; after an unknown outcome, a status in `done` means that it took effect. */
  insist(request: () => Promise<Recorded>, done?: readonly number[]): Promise<Recorded>
  /** Creates a namespace; without a dimension, a text namespace. */
  create(namespace: string, dimension?: number): Promise<void>
  /** Resolves when the namespace has no work left. */
  settled(namespace: string): Promise<void>
  /** Resolves when the deleted namespace's name is free. */
  gone(namespace: string): Promise<void>
}

let texts = 0
/** Returns a document with words that no other document has, so that a search for its text returns it first. */
export const document = (id: string, more: Partial<SentDocument> = {}): SentDocument => {
  texts += 1
  const words = Array.from({ length: 6 }, (_, index) => `word${index}of${texts}`)
  return { id, text: words.join(' '), metadata: {}, ...more }
}
/**
 * Returns a copy of the document with a different text: a repeated request is a new request, and the ledger requires
 * unique texts.
 */
export const again = (sent: SentDocument): SentDocument => {
  texts += 1
  return { ...sent, text: `${sent.text} again${texts}` }
}
/** Returns a document of several passages. */
const longDocument = (id: string) => {
  texts += 1
  const sentences = Array.from(
    { length: 20 },
    (_, index) => `Sentence ${index} of text ${texts} goes on for seven words.`,
  )
  return document(id, { text: sentences.join(' ') })
}
const vectorOf = (id: string, ...vector: number[]): SentDocument => document(id, { vector })

export const idsOf = ({ body }: Recorded, list: 'results' | 'items'): string[] =>
  (body[list] as readonly { readonly id: string }[]).map(({ id }) => id)
const found = async (
  { client, insist }: Teller,
  namespace: string,
  query: string | readonly number[],
): Promise<string[]> => idsOf(await insist(() => client.search([namespace], query)), 'results')

/** The stories of the API. Each story must complete under any faults. */
export const stories: Readonly<Record<string, (teller: Teller, namespace: string) => Promise<void>>> = {
  'text upload': async (teller, namespace) => {
    const { client, insist, create, settled } = teller
    await create(namespace)
    const long = longDocument('long')
    const sent = [document('a'), long, document('b')]
    await insist(() => client.upload(namespace, sent.map(again)))
    await settled(namespace)
    expect(idsOf(await insist(() => client.get(namespace, ['a', 'b', 'long'])), 'items').sort()).toEqual([
      'a',
      'b',
      'long',
    ])
    expect((await found(teller, namespace, long.text.slice(-40)))[0]).toBe('long')
    expect((await found(teller, namespace, sent[0]?.text ?? ''))[0]).toBe('a')
  },
  're-upload': async (teller, namespace) => {
    const { client, insist, create, settled } = teller
    await create(namespace)
    await insist(() => client.upload(namespace, [document('a'), longDocument('b')]))
    await settled(namespace)
    const later = { text: '' }
    await insist(() => {
      const next = document('b')
      later.text = next.text
      return client.upload(namespace, [next])
    })
    expect((await insist(() => client.get(namespace, ['b']))).body['items']).toMatchObject([{ text: later.text }])
    await settled(namespace)
    expect(await found(teller, namespace, later.text)).toEqual(expect.arrayContaining(['a', 'b']))
  },
  'overlapping uploads': async ({ client, insist, create, settled }, namespace) => {
    await create(namespace)
    const upload = (...ids: readonly string[]) =>
      insist(() =>
        client.upload(
          namespace,
          ids.map((id) => document(id)),
        ),
      )
    await Promise.all([upload('a', 'b'), upload('b', 'c')])
    await settled(namespace)
    expect(idsOf(await insist(() => client.walk(namespace, 2)), 'items')).toEqual(['c'])
  },
  vectors: async (teller, namespace) => {
    const { client, insist, create, settled } = teller
    await create(namespace, 3)
    await insist(() => client.upload(namespace, [vectorOf('x', 1, 0, 0), vectorOf('y', 0, 1, 0)]))
    await settled(namespace)
    expect((await found(teller, namespace, [0.9, 0.1, 0]))[0]).toBe('x')
    await insist(() => client.upload(namespace, [vectorOf('x', 0, 0, 1), vectorOf('z', 1, 1, 0)]))
    await settled(namespace)
    expect((await found(teller, namespace, [0, 0, 1]))[0]).toBe('x')
  },
  'delete by id': async (teller, namespace) => {
    const { client, insist, create, settled } = teller
    await create(namespace)
    const kept = document('c')
    await insist(() => client.upload(namespace, [document('a'), longDocument('b'), again(kept)]))
    await settled(namespace)
    await insist(() => client.remove(namespace, ['a', 'nobody']))
    await Promise.all([
      insist(() => client.remove(namespace, ['b'])),
      insist(() => client.upload(namespace, [document('a')])),
    ])
    await settled(namespace)
    expect(await found(teller, namespace, kept.text)).toEqual(expect.arrayContaining(['a', 'c']))
    expect((await insist(() => client.get(namespace, ['a', 'b', 'c']))).body['not_found_ids']).toEqual(['b'])
  },
  'namespace deletion and re-creation': async (teller, namespace) => {
    const { client, insist, create, settled, gone } = teller
    await create(namespace)
    await insist(() => client.upload(namespace, [document('a'), document('b')]))
    await insist(() => client.deleteNamespace(namespace), [404])
    await gone(namespace)
    await create(namespace)
    expect(idsOf(await insist(() => client.walk(namespace, 10)), 'items')).toEqual([])
    const second = document('a')
    await insist(() => client.upload(namespace, [again(second)]))
    await settled(namespace)
    expect(await found(teller, namespace, second.text)).toEqual(['a'])
  },
  search: async (teller, namespace) => {
    const { client, insist, create, settled } = teller
    await create(namespace)
    const red = document('a', { metadata: { colour: 'red' } })
    await insist(() =>
      client.upload(namespace, [
        again(red),
        document('b', { metadata: { colour: 'blue' } }),
        document('c', { metadata: { colour: 'red' } }),
      ]),
    )
    await settled(namespace)
    expect(await found(teller, namespace, `${red.text} #colour:red`)).toEqual(['a', 'c'])
    expect(await found(teller, namespace, '#colour:blue')).toEqual(['b'])
    await Promise.all([insist(() => client.remove(namespace, ['a'])), found(teller, namespace, red.text)])
    await settled(namespace)
    expect(await found(teller, namespace, '#colour:red')).toEqual(['c'])
  },
}
