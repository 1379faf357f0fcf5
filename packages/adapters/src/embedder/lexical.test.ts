import { describe, expect, it } from 'vitest'
import { lexicalEmbedder } from './lexical.ts'
import { embedderContract } from './port.contract.ts'

embedderContract({ open: () => lexicalEmbedder(), lacks: {} })

describe('lexical embedder', () => {
  const embedder = lexicalEmbedder()
  const embed = async (...texts: string[]): Promise<Float32Array[]> => embedder.embed(texts, { kind: 'document' })
  const similarity = async (a: string, b: string): Promise<number> => {
    const [left, right] = await embed(a, b)
    return (left ?? new Float32Array()).reduce((sum, value, index) => sum + value * (right?.[index] ?? 0), 0)
  }

  it('keeps its vectors from release to release', async () => {
    const [vector] = await embed('The quick brown fox jumps over the lazy dog. 42 naïve 東京')
    expect([127, 317, 585].map((place) => vector?.[place])).toEqual(
      [0.274, -0.261, 0.184].map((value) => expect.closeTo(value, 3)),
    )
  })

  it('gives nearly equal vectors despite case, accents, endings or a typo', async () => {
    expect(await similarity('Café MENU', 'cafe menu')).toBeCloseTo(1, 5)
    expect(await similarity('parsing arguments', 'parse argument')).toBeGreaterThan(0.4)
    expect(await similarity('configuration', 'configuraiton')).toBeGreaterThan(0.25)
  })

  it('does not recognize synonyms', async () => {
    expect(Math.abs(await similarity('automobile', 'car'))).toBeLessThan(0.2)
  })

  it('weights long words more than short ones', async () => {
    const question = 'how do I use the thermostat in this'
    expect(await similarity(question, 'thermostat settings')).toBeGreaterThan(
      await similarity(question, 'how do I go to the sea in June'),
    )
  })

  it('finds parts of a text written without blanks', async () => {
    expect(await similarity('東京', '昨日東京タワーに行った')).toBeGreaterThan(
      (await similarity('大阪', '昨日東京タワーに行った')) + 0.1,
    )
  })

  it('embeds text of punctuation only', async () => {
    expect(await similarity('=> !!', '!! =>')).toBeCloseTo(1, 5)
  })

  it('finds the same tokens whether or not a text has characters of two units', async () => {
    const text = `Ⓜ ©2020 naïve ete\u0301 \u0301x 3\u0301 ﷺ ﬁne ภาษาไทย abc 東京タワーb ٣٤ Ⅷ ²x a_b s3 c++ ${'long'.repeat(20)}`
    const [[alone = new Uint32Array()], [within = new Uint32Array()]] = [
      await embedder.tokens([text]),
      await embedder.tokens([`${text} 😀`]),
    ]
    expect(alone.length).toBeGreaterThan(25)
    expect([...within]).toEqual([...alone, text.length + 1])
  })

  it('names the text that has no words', async () => {
    await expect(embed('something', ' ')).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('Text 2 of 2'),
    })
  })
})
