import { createMaterial } from '@cairn/testing/material/create-material'
import { drawPicture } from '@cairn/testing/material/draw-png'
import { mutate, mutationKinds } from '@cairn/testing/material/mutate'
import { describe, expect, it } from 'vitest'
import { grayPng } from '../pdf/gray-png.ts'
import { readFile, texts } from '../read-file.fixture.ts'
import { fromPng } from './picture-pdf.ts'
import { pictureKind, shapesOf } from './shape.ts'

const sentence = 'The bridge over the river was painted'
const plain = drawPicture(sentence)
const read = (bytes: Buffer, options = {}) => readFile('png', bytes, options)

describe('a picture', () => {
  it.each([
    ['PNG', plain.png()],
    ['PNG that PDF can hold', grayPng(plain.gray(), 200)],
    ['PNG on transparent paper', drawPicture(sentence, { isTransparent: true }).png()],
    ['JPEG', plain.jpeg()],
    ['WebP', plain.webp()],
  ])('is read by OCR as page 1: %s', { timeout: 60_000 }, async (_, bytes) => {
    const { blocks, events, failure } = await read(bytes)
    expect(failure).toBeUndefined()
    expect(events).toContainEqual({ event: 'ocr', page: 1, confidence: expect.any(Number) })
    expect(blocks.map(({ text, at }) => [text, at.page])).toEqual([[sentence, 1]])
  })

  it('has the pages of a TIFF, and the same blocks when it is read from one of them', {
    timeout: 120_000,
  }, async () => {
    const { bytes, truth } = await createMaterial('png', 1, { sentences: 30 })
    expect(pictureKind(bytes)).toBe('tiff')
    const whole = await read(bytes)
    expect(new Set(whole.blocks.map(({ at }) => at.page)).size).toBe(truth.pages)
    const wordsOf = (text: string): string[] => text.match(/\p{L}+/gu) ?? []
    const words = wordsOf(texts(whole).join(' '))
    const wanted = truth.sentences.flatMap(({ text }) => wordsOf(text))
    const missing = wanted.filter((word) => !words.includes(word))
    expect(missing.length / wanted.length).toBeLessThan(0.05)
    const { seq } = whole.blocks.find(({ at }) => at.page === 2) ?? { seq: 0 }
    const rest = await read(bytes, { from: { seq, page: 2 } })
    expect(rest.blocks).toEqual(whole.blocks.slice(seq))
  })

  it('without text has no text, and is not read without OCR', { timeout: 60_000 }, async () => {
    expect(await read(drawPicture('').png())).toMatchObject({ failure: 'no_text' })
    expect(await read(plain.jpeg(), { ocr: false })).toMatchObject({ failure: 'no_text' })
  })

  it.each(mutationKinds('png').filter((kind) => /^(?:png|tiff|jpeg|webp)-/.test(kind)))(
    'that is hostile fails for a reason of the file: %s',
    { timeout: 60_000 },
    async (kind) => {
      const { bytes } = mutate(Buffer.alloc(10), 'png', 1, { kind, expandedBytes: 300_000_000 })
      expect((await read(bytes)).failure).toMatch(/^(?:damaged|no_text|expands_too_large)$/)
    },
  )
})

describe('the size of a picture', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('is in its header: %s', (type) => {
    const bytes = drawPicture('', { width: 321, height: 123 })[type]()
    expect(shapesOf(bytes, pictureKind(bytes) ?? 'png', 10)).toMatchObject([{ width: 321, height: 123 }])
  })

  it('may be at most 50 million pixels', async () => {
    const sized = (width: number, height: number) => {
      const bytes = grayPng({ width: 1, height: 1, pixels: Uint8Array.of(0) }, 200)
      bytes.writeUInt32BE(width, 16)
      bytes.writeUInt32BE(height, 20)
      return bytes
    }
    expect((await read(sized(10_000, 5_001))).failure).toBe('expands_too_large')
    expect((await read(sized(10_000, 5_000))).failure).not.toBe('expands_too_large')
  })

  it('of a TIFF ends at a directory that was read before, and at the limit of pages', async () => {
    const { bytes } = await createMaterial('png', 1, { sentences: 30 })
    const all = shapesOf(bytes, 'tiff', 100)
    expect(all.length).toBeGreaterThan(1)
    expect(shapesOf(bytes, 'tiff', 1)).toEqual(all.slice(0, 1))
    const circle = mutate(bytes, 'png', 1, { kind: 'tiff-in-a-circle' }).bytes
    expect(shapesOf(circle, 'tiff', 100)).toHaveLength(1)
  })
})

it('keeps a PNG for PDF only without transparency, palette and passes', () => {
  const png = grayPng({ width: 2, height: 1, pixels: Uint8Array.of(0, 255) }, 200)
  expect(fromPng(png)).toMatchObject({ width: 2, height: 1, entries: expect.stringContaining('/DeviceGray') })
  for (const [at, value] of [
    [25, 3],
    [25, 6],
    [28, 1],
  ] as const)
    expect(fromPng(Buffer.from(png).fill(value, at, at + 1))).toBeUndefined()
})
