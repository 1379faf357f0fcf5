import { isAppError } from '@cairn/contracts/errors'
import type { Embedder } from '@cairn/domain/ports/embedder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

type Behaviour =
  | 'order'
  | 'unit'
  | 'determinism'
  | 'tokens'
  | 'truncation'
  | 'abort'
  | 'concurrency'
  | 'blank'
  | 'closing'

export type EmbedderContract = {
  /** Opens an embedder that becomes `ready` by itself; the contract closes the embedder. */
  readonly open: () => Embedder | Promise<Embedder>
  /** Behaviors that the adapter can't have, with the reasons, which are printed. */
  readonly lacks: { readonly [B in Behaviour]?: string }
}

const short = [
  'Cats sleep on warm windowsills.',
  'The invoice is due in thirty days.',
  'Rust compiles to native code.',
  'Tea grows in the hills.',
]

/** Unusual texts that people and attackers send. Each must get a vector and offsets, even if they are not useful. */
const odd: Readonly<Record<string, string>> = {
  emoji: '👩‍👩‍👧 went 🏖️ and 🇫🇷 said 😀😀😀',
  chinese: '今天天气很好，我们去公园散步。',
  japanese: '東京タワーは赤い。カタカナとひらがな',
  korean: '한국어 문장을 검색합니다',
  thai: 'ภาษาไทยไม่มีช่องว่าง',
  hindi: 'हिन्दी में एक वाक्य',
  arabic: 'هذه جملة باللغة العربية',
  'astral characters': '𠀀𠀁 and 𝒜𝓁𝓁 of 𝔱𝔥𝔢𝔪',
  'combining marks': `e\u0301 a\u0308 z${'\u0335\u0321'.repeat(200)}algo`,
  'a lone surrogate': 'before \ud83d after \udc00',
  'control characters': 'line\u000bfeed\u200b zero\ufeffwidth \u0007 bell',
  'special tokens': 'text with [SEP] and [CLS] and [UNK] in it',
  'a word of 50,000 characters': 'a'.repeat(50_000),
  '50,000 characters without a blank': '一二三四五六七八九十，'.repeat(4_545),
  'blanks around': ' \n\t  word\u00a0\u3000\u2028 ',
  'one letter': 'x',
}

const lengthOf = (vector: Float32Array): number => Math.hypot(...vector)
const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
/** Expects the vectors to be equal, except for precision that a server may lose by printing and parsing numbers. */
const expectSame = (a: Float32Array | undefined, b: Float32Array | undefined): void => {
  expect(cosine(a ?? new Float32Array(), b ?? new Float32Array())).toBeGreaterThan(0.99999)
}

/** Contract of every embedder, whatever its model. */
export const embedderContract = ({ open, lacks }: EmbedderContract): void => {
  const of = (behaviour: Behaviour, name: string, body: () => Promise<void>) => {
    const reason = lacks[behaviour]
    if (reason === undefined) it(name, body)
    else it(name, ({ skip }) => skip(reason))
  }

  describe('embedder', () => {
    let embedder: Embedder
    const embed = (texts: readonly string[], signal?: AbortSignal) =>
      embedder.embed(texts, signal === undefined ? { kind: 'document' } : { kind: 'document', signal })
    const one = async (text: string) => (await embed([text]))[0]

    beforeAll(async () => {
      embedder = await open()
      await embedder.settled()
    })
    afterAll(() => embedder.close())

    it('is ready once settled, with its model and limits', () => {
      expect(embedder.status()).toEqual({ state: 'ready' })
      expect(embedder.model.dimension).toBeGreaterThan(0)
      expect(embedder.maxTokens).toBeGreaterThan(0)
      expect(embedder.concurrency).toBeGreaterThan(0)
    })

    of('order', 'returns vectors in the order of the texts', async () => {
      const together = await embed(short)
      expect(together).toHaveLength(short.length)
      for (const [index, text] of short.entries()) expectSame(together[index], await one(text))
      expect(cosine(together[0] ?? new Float32Array(), together[1] ?? new Float32Array())).toBeLessThan(0.9)
    })

    of('order', 'returns nothing for no texts', async () => {
      expect(await embed([])).toEqual([])
      expect(await embedder.tokens([])).toEqual([])
    })

    of('unit', 'gives vectors of its dimension and of length 1, to documents and to queries', async () => {
      for (const kind of ['document', 'query'] as const) {
        for (const vector of await embedder.embed(short, { kind })) {
          expect(vector).toHaveLength(embedder.model.dimension)
          expect(vector.every(Number.isFinite)).toBe(true)
          expect(lengthOf(vector)).toBeCloseTo(1, 5)
        }
      }
    })

    of('unit', 'gives similar texts a higher cosine than unrelated ones', async () => {
      const [text, kin, stranger] = await embed([
        'The cat sleeps on the sofa',
        'A cat is sleeping on a sofa',
        'Quarterly tax report of 1987',
      ])
      if (text === undefined || kin === undefined || stranger === undefined)
        throw new Error('three texts, fewer vectors')
      expect(cosine(text, kin)).toBeGreaterThan(cosine(text, stranger) + 0.2)
    })

    for (const [name, text] of Object.entries(odd)) {
      of('unit', `gives a vector to ${name}`, async () => {
        const vector = await one(text)
        expect(vector?.every(Number.isFinite)).toBe(true)
        expect(lengthOf(vector ?? new Float32Array())).toBeCloseTo(1, 5)
      })

      of('tokens', `finds the tokens of ${name}`, async () => {
        const [starts] = await embedder.tokens([text])
        if (starts === undefined) throw new Error('no offsets')
        expect(starts.length).toBeGreaterThan(0)
        expect(starts.every((start, index) => start < text.length && start >= (starts[index - 1] ?? 0))).toBe(true)
        // A cut at any token start must not split a character.
        expect(
          [...starts].filter(
            (start) => /[\ud800-\udbff]/.test(text[start - 1] ?? '') && /[\udc00-\udfff]/.test(text[start] ?? ''),
          ),
        ).toEqual([])
      })
    }

    of(
      'determinism',
      'returns the same vector again, alone or with others, even if the caller changed the first one',
      async () => {
        const [first] = await embed(['Order does not matter here'])
        const kept = Float32Array.from(first ?? [])
        first?.fill(0)
        const [, beside] = await embed([short.join(' '), 'Order does not matter here', 'x'])
        expectSame(beside, kept)
      },
    )

    of('tokens', 'counts more tokens in more text, and none in blanks', async () => {
      const [few, many, none] = await embedder.tokens(['one two', 'one two three four five six', ' \n\t '])
      expect(few?.length).toBeGreaterThanOrEqual(2)
      expect(many?.length).toBeGreaterThan(few?.length ?? 0)
      expect(none).toHaveLength(0)
    })

    of('truncation', 'embeds the beginning of a text that is too long', async () => {
      const long = Array.from(
        { length: embedder.maxTokens + 40 },
        (_, index) => ['night', 'river', 'stone', 'apple'][index % 4],
      ).join(' ')
      const [starts] = await embedder.tokens([long])
      expect(starts?.length).toBeGreaterThan(embedder.maxTokens)
      const beginning = long.slice(0, starts?.[embedder.maxTokens])
      const whole = await one(long)
      expectSame(whole, await one(beginning))
      expectSame(whole, await one(`${long} and something else altogether: zebra violin`))
    })

    of('abort', 'rejects an aborted call with its reason, and serves the others', async () => {
      const reason = new Error('no longer wanted')
      await expect(embed(short, AbortSignal.abort(reason))).rejects.toBe(reason)
      const controller = new AbortController()
      const many = embed(
        Array.from({ length: 200 }, (_, index) => `${short.join(' ').repeat(40)} ${index}`),
        controller.signal,
      )
      const outcome = many.then(
        () => 'answered',
        (error: unknown) => error,
      )
      const meanwhile = one('still wanted')
      controller.abort(reason)
      expect(await outcome).toBe(reason)
      expect(await meanwhile).toHaveLength(embedder.model.dimension)
    })

    of('concurrency', 'answers concurrent callers, each with its own vectors', async () => {
      const texts = Array.from(
        { length: 40 },
        (_, index) => `caller number ${index} asks about ${short[index % short.length]}`,
      )
      const answers = await Promise.all(
        texts.map((text, index) => embedder.embed([text], { kind: index % 2 ? 'query' : 'document' })),
      )
      const [documents, queries] = [await embed(texts), await embedder.embed(texts, { kind: 'query' })]
      for (const [index, [vector]] of answers.entries()) expectSame(vector, (index % 2 ? queries : documents)[index])
    })

    of('concurrency', 'does not block the event loop while it works', async () => {
      let turns = 0
      const counting = setInterval(() => {
        turns += 1
      }, 1)
      await embed(Array.from({ length: 24 }, () => short.join(' ').repeat(40)))
      clearInterval(counting)
      expect(turns).toBeGreaterThan(0)
    })

    for (const text of ['', ' \n\t ', '\u0000\u0007']) {
      of('blank', `embeds ${JSON.stringify(text)} or says that it is invalid`, async () => {
        const outcome = await one(text).catch((error: unknown) => error)
        if (outcome instanceof Float32Array) expect(lengthOf(outcome)).toBeCloseTo(1, 5)
        else expect(isAppError(outcome, 'invalid'), String(outcome)).toBe(true)
      })
    }

    of('closing', 'can be closed twice and is unavailable afterwards', async () => {
      const another = await open()
      await another.settled()
      await Promise.all([another.close(), another.close()])
      await another.close()
      await expect(another.embed(['late'], { kind: 'query' })).rejects.toMatchObject({ code: 'unavailable' })
      await expect(another.tokens(['late'])).rejects.toMatchObject({ code: 'unavailable' })
    })

    of('closing', 'answers or rejects calls made before it was closed', async () => {
      const another = await open()
      await another.settled()
      const asked = another.embed(short, { kind: 'document' }).catch((error: unknown) => error)
      await another.close()
      const outcome = await asked
      if (Array.isArray(outcome)) expect(outcome).toHaveLength(short.length)
      else expect(isAppError(outcome, 'unavailable'), String(outcome)).toBe(true)
    })
  })
}
