import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileTypes } from '@cairn/contracts/files/file-rules'
import { createWorker } from 'tesseract.js'
import { describe, expect, it } from 'vitest'
import { createMaterial } from './create-material.ts'
import { mutate, mutationKinds } from './mutate.ts'
import { unzip } from './zip-reader.ts'

const language = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'))

/**
 * Returns the number of insertions, removals and replacements that turn one text into the other (Levenshtein distance).
 */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let left = 1; left <= from.length; left++) {
    const next = [left]
    for (let right = 1; right <= to.length; right++) {
      const same = from[left - 1] === to[right - 1] ? 0 : 1
      next.push(
        Math.min((row[right] as number) + 1, (next[right - 1] as number) + 1, (row[right - 1] as number) + same),
      )
    }
    row = next
  }
  return row.at(-1) as number
}

/** Timeout of tests that draw a scan and read it by OCR, on a machine that may be busy. */
const slow = { timeout: 120_000 }

describe('scanned pages', slow, () => {
  it('are the same for the same seed and can be read: at most 5 % of the letters are wrong', async () => {
    const [{ bytes, truth }, again] = [
      await createMaterial('pdf', 4, { scans: 'all', sentences: 24 }),
      await createMaterial('pdf', 4, { scans: 'all', sentences: 24 }),
    ]
    expect(again.bytes.equals(bytes)).toBe(true)
    expect(truth.scannedPages).toEqual(Array.from({ length: truth.pages as number }, (_, index) => index + 1))
    const worker = await createWorker('eng', 1, {
      langPath: join(language, '4.0.0_best_int'),
      gzip: true,
      cacheMethod: 'none',
    })
    let wrong = 0
    let letters = 0
    let position = 0
    for (const page of truth.scannedPages ?? []) {
      position = bytes.indexOf(Buffer.from('ffd8ff', 'hex'), position + 1)
      const { data } = await worker.recognize(bytes.subarray(position))
      const known = truth.sentences
        .filter((sentence) => sentence.page === page)
        .map(({ text }) => text)
        .join(' ')
      const seen = data.text.replace(/\s+/g, ' ').trim()
      // The page begins with headings, which are not part of the sentences.
      wrong += distance(known, seen.slice(Math.max(0, seen.indexOf(known.slice(0, 12)))))
      letters += known.length
    }
    await worker.terminate()
    expect(letters).toBeGreaterThan(1_000)
    expect(wrong / letters).toBeLessThanOrEqual(0.05)
  })

  it('stand only on the pages that are said to be scanned', async () => {
    const { bytes, truth } = await createMaterial('pdf', 5, { scans: 'some' })
    expect(truth.scannedPages?.length).toBeGreaterThan(0)
    expect(truth.scannedPages?.length).toBeLessThan(truth.pages as number)
    expect(bytes.toString('latin1').match(/\/DCTDecode/g)).toHaveLength(truth.scannedPages?.length as number)
  })
})

describe('mutations', slow, () => {
  it('are the same for the same seed', async () => {
    for (const type of fileTypes) {
      const { bytes } = await createMaterial(type, 2)
      for (const kind of mutationKinds(type)) {
        const [first, again] = [1, 2].map(
          () => mutate(bytes, type, 9, { kind, expandedBytes: 3_000_000, hugeBytes: 100_000 }).bytes,
        )
        expect(again?.equals(first as Buffer), kind).toBe(true)
      }
    }
  })

  it('have as many parts as they say, also those that take long to make', async () => {
    const docx = (await createMaterial('docx', 1)).bytes
    const xlsx = (await createMaterial('xlsx', 1)).bytes
    const pdf = (await createMaterial('pdf', 1)).bytes
    expect(unzip(mutate(docx, 'docx', 1, { kind: 'zip-many-entries' }).bytes)).toHaveLength(65_535)
    const strings = unzip(mutate(xlsx, 'xlsx', 1, { kind: 'million-strings' }).bytes).find(
      ({ name }) => name === 'xl/sharedStrings.xml',
    )
    expect(strings?.data.toString()).toContain('uniqueCount="1000000"')
    expect(mutate(pdf, 'pdf', 1, { kind: 'many-objects' }).bytes.toString('latin1')).toContain('200005 0 obj')
  })
})
