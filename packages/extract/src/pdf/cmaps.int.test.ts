import { writeFileSync } from 'node:fs'
import { decodePlaces, pageEdge } from '@cairn/domain/text/places'
import { temporaryFile } from '@cairn/testing/temporary'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import type { Block } from '../block.ts'
import { writeObjects } from './pdf.fixture.ts'
import { extractPdf } from './read.ts'

type CjkPage = {
  readonly lines: readonly string[]
  /** Name of a predefined CMap. */
  readonly cmap: string
  readonly ordering: 'GB1' | 'CNS1' | 'Japan1' | 'Korea1'
  /** iconv-lite's name of the codes' encoding; for `Identity-H`, lines contain the CIDs themselves. */
  readonly encoding: string
}

/**
 * Writes a page like East Asian programs do, in a font that is not embedded and has no Unicode map, plus one Latin
 * line.
 */
const writeCjk = ({ lines, cmap, ordering, encoding }: CjkPage, encodingObject?: string): Buffer => {
  const isVertical = cmap.endsWith('V')
  const operators = lines.map((line, index) => {
    const [x, y] = isVertical ? [500 - index * 20, 700] : [60, 700 - index * 20]
    return `BT /F2 14 Tf 1 0 0 1 ${x} ${y} Tm <${iconv.encode(line, encoding, { addBOM: false }).toString('hex')}> Tj ET`
  })
  operators.push('BT /F1 11 Tf 1 0 0 1 60 100 Tm (Invoice number 4711) Tj ET')
  return writeObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    { dictionary: '', bytes: Buffer.from(operators.join('\n')) },
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding ${encodingObject ? '9 0 R' : `/${cmap}`} /DescendantFonts [7 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 1 >> /DW 1000 /FontDescriptor 8 0 R >>`,
    '<< /Type /FontDescriptor /FontName /Song /Flags 6 /Ascent 752 /Descent -271 /CapHeight 737 /ItalicAngle 0 /StemV 58 /FontBBox [-160 -249 1015 888] >>',
    ...(encodingObject
      ? [{ dictionary: `/Type /CMap /CMapName /Own /UseCMap /${cmap}`, bytes: Buffer.from(encodingObject) }]
      : []),
  ])
}

const readBlocks = async (bytes: Uint8Array): Promise<Block[]> => {
  const path = temporaryFile('cjk.pdf')
  writeFileSync(path, bytes)
  const events = await Array.fromAsync(extractPdf(path, { ocr: false }))
  expect(events.filter(({ event }) => event === 'note')).toEqual([])
  return events.flatMap((event) => (event.event === 'block' ? [event.block] : []))
}
const read = async (bytes: Uint8Array): Promise<string[]> => (await readBlocks(bytes)).map(({ text }) => text)

const simplified = '港口停泊着许多船只，渔民清晨出海。'
const traditional = '港口停泊著許多船隻，漁民清晨出海。'
const japanese = '港には船がたくさんあります。コンピューター12台。'
const korean = '항구에는 배가 많이 있습니다.'

describe('a font of a predefined character map that the file does not contain', () => {
  it.each([
    ['GBK-EUC-H', 'GB1', 'gbk', simplified],
    ['GB-EUC-H', 'GB1', 'gb2312', simplified],
    ['UniGB-UCS2-H', 'GB1', 'utf-16be', simplified],
    ['UniGB-UTF16-H', 'GB1', 'utf-16be', simplified],
    ['ETen-B5-H', 'CNS1', 'big5', traditional],
    ['UniCNS-UCS2-H', 'CNS1', 'utf-16be', traditional],
    ['90ms-RKSJ-H', 'Japan1', 'shift_jis', japanese],
    ['EUC-H', 'Japan1', 'euc-jp', japanese],
    ['UniJIS-UCS2-H', 'Japan1', 'utf-16be', japanese],
    ['UniJIS-UTF16-H', 'Japan1', 'utf-16be', japanese],
    ['KSCms-UHC-H', 'Korea1', 'cp949', korean],
    ['KSC-EUC-H', 'Korea1', 'euc-kr', korean],
    ['UniKS-UCS2-H', 'Korea1', 'utf-16be', korean],
  ] as const)('is read: %s of %s', async (cmap, ordering, encoding, line) => {
    expect(await read(writeCjk({ lines: [line], cmap, ordering, encoding }))).toEqual([line, 'Invoice number 4711'])
  })

  it.each([
    ['UniJIS-UCS2-V', 'Japan1', 'utf-16be', ['港には船がたくさんあ', 'ります']],
    ['GBK-EUC-V', 'GB1', 'gbk', ['港口停泊着许多船只', '渔民清晨出海']],
    ['ETen-B5-V', 'CNS1', 'big5', ['港口停泊著許多船隻', '漁民清晨出海']],
  ] as const)('is read in vertical writing: %s', async (cmap, ordering, encoding, lines) => {
    const blocks = await readBlocks(writeCjk({ lines, cmap, ordering, encoding }))
    expect(blocks.map(({ text }) => text)).toEqual(['Invoice number 4711', lines.join('')])
    // The columns are 20 points apart, from x = 500 to the left, and begin at y = 700.
    for (const [index, { x0, y0, x1, y1 }] of decodePlaces(blocks[1]?.places ?? '').entries()) {
      const sides = [x0 * 595, (x0 + x1) * 297.5, x1 * 595].map((side) => side / pageEdge)
      expect(sides[0]).toBeLessThan(496 - index * 20)
      expect(sides[2]).toBeGreaterThan(504 - index * 20)
      expect(Math.abs((sides[1] ?? 0) - 500 + index * 20)).toBeLessThan(3)
      expect(Math.abs(842 - (y0 * 842) / pageEdge - 700)).toBeLessThan(3)
      expect(Math.abs(((y1 - y0) * 842) / pageEdge - 14 * (lines[index]?.length ?? 0))).toBeLessThan(3)
    }
  })

  it('is read if it has an encoding of its own that extends a predefined one', async () => {
    const own = '/CIDInit /ProcSet findresource begin begincmap /UniGB-UCS2-H usecmap endcmap end'
    const page = { lines: [simplified], cmap: 'UniGB-UCS2-H', ordering: 'GB1', encoding: 'utf-16be' } as const
    expect(await read(writeCjk(page, own))).toEqual([simplified, 'Invoice number 4711'])
  })

  it('is read if its codes are glyph numbers of a collection', async () => {
    // CID 843 is the first letter of Hiragana after its small form in Adobe-Japan1.
    const page = { lines: ['\u034b\u034d'], cmap: 'Identity-H', ordering: 'Japan1', encoding: 'utf-16be' } as const
    expect(await read(writeCjk(page))).toEqual(['あい', 'Invoice number 4711'])
  })

  it('is read if its encoding belongs to another collection than declared', async () => {
    const page = { lines: [traditional], cmap: 'UniGB-UCS2-H', ordering: 'CNS1', encoding: 'utf-16be' } as const
    expect(await read(writeCjk(page))).toEqual([traditional, 'Invoice number 4711'])
  })
})
