import { fileReasons as reasons } from '@cairn/contracts/files/file-reasons'
import { fileTypes } from '@cairn/contracts/files/file-rules'
import { createMaterial } from '@cairn/testing/material/create-material'
import { describe, expect, it } from 'vitest'
import { readFile, texts } from './read-file.fixture.ts'

// pdf.int.test.ts tests PDF files, picture.int.test.ts pictures, whose text OCR may misread.
const types = fileTypes.filter((type) => type !== 'pdf' && type !== 'png')
const words = (text: string): string => text.replace(/\s+/g, ' ').trim()

describe.each(types)('a %s file', (type) => {
  it.each([1, 2, 3, 4])('is read with every sentence it contains (%i)', async (seed) => {
    const { bytes, truth } = await createMaterial(type, seed)
    const read = await readFile(type, bytes)
    const all = words(texts(read).join('\n'))
    expect(truth.sentences.length).toBeGreaterThan(0)
    expect(truth.sentences.filter(({ text }) => !all.includes(words(text)))).toEqual([])
  })

  it('is read with the place of each sentence', async () => {
    const { bytes, truth } = await createMaterial(type, 5)
    const { blocks } = await readFile(type, bytes)
    for (const { text, row, sheet, page, path } of truth.sentences) {
      const block = blocks.find((one) => words(one.text).includes(words(text)))
      if (sheet !== undefined) expect(block?.at.sheet).toBe(sheet)
      if (page !== undefined) expect(block?.at.page).toBe(page)
      if (type === 'epub') expect(block?.at.path).toBe(path)
      if (row !== undefined) expect(block?.at.rows).toEqual({ from: row, to: row })
    }
  })

  it('is read with the same result again', async () => {
    const { bytes } = await createMaterial(type, 6)
    expect(await readFile(type, bytes)).toEqual(await readFile(type, bytes))
  })

  it('has blocks numbered without gaps, and only those that are requested', async () => {
    const { bytes } = await createMaterial(type, 7)
    const { blocks } = await readFile(type, bytes)
    expect(blocks.map(({ seq }) => seq)).toEqual(blocks.map((_, index) => index))
    const from = blocks.length >> 1
    expect((await readFile(type, bytes, { from: { seq: from } })).blocks).toEqual(blocks.slice(from))
    expect(await readFile(type, bytes, { from: { seq: blocks.length } })).not.toHaveProperty('failure')
  })
})

it('has a message and a remedy for every reason', () => {
  for (const { message, remedy } of Object.values(reasons))
    expect([message, remedy]).toEqual([expect.stringMatching(/^[A-Z].*\.$/), expect.stringMatching(/^[A-Z].*\.$/)])
})
