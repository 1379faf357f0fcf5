import { writeFileSync } from 'node:fs'
import { createMaterial } from '@cairn/testing/material/create-material'
import { drawPicture } from '@cairn/testing/material/draw-png'
import { mutate, mutationKinds } from '@cairn/testing/material/mutate'
import { temporaryFile } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import { grayPng } from '../pdf/ocr/gray-png.ts'
import { readFile, texts } from '../read-file.fixture.ts'
import { fromPng } from './picture-pdf.ts'
import { extractPicture } from './read.ts'
import { pictureKind, shapesOf } from './shape.ts'
import { createTiff } from './tiff.fixture.ts'

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

  it('has the pages of a TIFF, and the same blocks when it resumes at one of them', {
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

  it.each(['uncompressed', 'CCITT RLE', 'CCITT T.4', 'CCITT T.6', 'LZW', 'PackBits'] as const)(
    'is read from a TIFF with this compression: %s',
    { timeout: 60_000 },
    async (compression) => {
      const { blocks, failure } = await read(createTiff([[compression, plain.gray()]]))
      expect([failure, blocks.map(({ text }) => text)]).toEqual([undefined, [sentence]])
    },
  )

  it.each(['Deflate', 'JPEG'] as const)(
    'in a TIFF names the compression that is not read: %s',
    { timeout: 60_000 },
    async (compression) => {
      const said = ` TIFF with ${compression} compression is not read: save it uncompressed, or with LZW, PackBits or CCITT compression.`
      const unread = drawPicture('other').gray()
      const path = temporaryFile('other.tiff')
      writeFileSync(path, createTiff([[compression, unread]]))
      await expect(Array.fromAsync(extractPicture(path, {}))).rejects.toMatchObject({
        code: 'damaged',
        message: `The picture can't be decoded.${said}`,
      })
      const bytes = createTiff([
        [compression, unread],
        ['LZW', plain.gray()],
      ])
      const whole = await read(bytes)
      expect(whole.events).toContainEqual({
        event: 'note',
        code: 'page_unreadable',
        message: `Page 1 could not be read.${said}`,
        at: { page: 1 },
      })
      expect(whole.blocks.map(({ text, at }) => [text, at.page])).toEqual([[sentence, 2]])
      // A run that goes on at page 2 does not decode page 1 again.
      const rest = await read(bytes, { from: { seq: 0, page: 2 } })
      expect(rest.events.filter(({ event }) => event === 'note')).toEqual([])
      expect(rest.blocks).toEqual(whole.blocks)
    },
  )

  it('is truncated beyond 1,000 pages, not at 1,000', { timeout: 60_000 }, async () => {
    const gray = plain.gray()
    const codes = async (count: number) => {
      const bytes = createTiff(Array.from({ length: count }, () => ['PackBits', gray] as const))
      const { events, blocks } = await read(bytes, { from: { seq: 0, page: 1_000 } })
      expect(blocks.map(({ text, at }) => [text, at.page])).toEqual([[sentence, 1_000]])
      return events.flatMap((event) => (event.event === 'note' ? [event.code] : []))
    }
    expect(await codes(1_000)).toEqual([])
    expect(await codes(1_001)).toEqual(['truncated'])
  })

  it('fails with no_text if it has no text, and is not read without OCR', { timeout: 60_000 }, async () => {
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
