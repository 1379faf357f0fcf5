import { fileTypes } from '@cairn/contracts/files/file-rules'
import iconv from 'iconv-lite'
import mammoth from 'mammoth'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { read, utils } from 'xlsx'
import { seededRandom } from '../seeded-random.ts'
import { createMaterial } from './create-material.ts'
import { encodeAs, encodings } from './encodings.ts'
import { createSentenceGenerator, languageNames } from './sentences.ts'

const flat = (text: string) => text.replace(/\s+/gu, ' ')
const seeds = [1, 2, 3]

describe('createMaterial', () => {
  it.each(fileTypes)(
    'gives the same %s for the same seed, another for another, and sentences no two alike',
    async (type) => {
      const [first, again, other] = [
        await createMaterial(type, 7),
        await createMaterial(type, 7),
        await createMaterial(type, 8),
      ]
      expect(first.bytes.equals(again.bytes)).toBe(true)
      expect(first.bytes.equals(other.bytes)).toBe(false)
      const texts = first.truth.sentences.map(({ text }) => text)
      expect(new Set(texts).size).toBe(texts.length)
      expect(texts.length).toBeGreaterThanOrEqual(20)
    },
  )

  it('makes as many sentences as are asked for, or a few more', async () => {
    for (const type of fileTypes)
      expect((await createMaterial(type, 3, { sentences: 100 })).truth.sentences.length).toBeGreaterThanOrEqual(100)
  })

  it('writes PDF whose pages hold their sentences, and an outline', async () => {
    for (const seed of seeds) {
      const { bytes, truth } = await createMaterial('pdf', seed)
      const document = await getDocumentProxy(new Uint8Array(bytes))
      const { text } = await extractText(document)
      expect(text.length).toBe(truth.pages)
      for (const sentence of truth.sentences)
        expect(flat(text[(sentence.page as number) - 1] as string)).toContain(sentence.text)
      const titles = JSON.stringify(await document.getOutline())
      for (const sentence of truth.sentences) for (const heading of sentence.headings) expect(titles).toContain(heading)
      await document.loadingTask.destroy()
    }
  })

  it('writes docx that another reader understands, with its headings, lists and merged cells', async () => {
    for (const seed of seeds) {
      const { bytes, truth } = await createMaterial('docx', seed)
      const { value } = await mammoth.convertToHtml({ buffer: bytes })
      const plain = flat(value.replace(/<\/?(strong|em)>/g, '').replaceAll('&amp;', '&'))
      for (const sentence of truth.sentences) expect(plain).toContain(sentence.text)
      for (const sentence of truth.sentences)
        for (const heading of sentence.headings) expect(plain).toMatch(new RegExp(`<h[1-3]>${heading}</h`))
    }
    const tables = await mammoth.convertToHtml({ buffer: (await createMaterial('docx', 1, { sentences: 120 })).bytes })
    expect(tables.value).toContain('colspan="2"')
    expect(tables.value).toContain('<li>')
  })

  it('writes xlsx that another reader understands, each sentence in its row', async () => {
    for (const seed of seeds) {
      const { bytes, truth } = await createMaterial('xlsx', seed)
      const book = read(bytes, { cellDates: true })
      for (const { sheet, row, text } of truth.sentences) {
        const found = book.Sheets[sheet as string]
        expect(found?.[`B${row}`]?.v).toBe(text)
      }
      const [first] = book.SheetNames
      const rows = utils.sheet_to_json<Record<string, unknown>>(book.Sheets[first as string] as object, {
        defval: null,
      })
      expect(rows.length).toBeGreaterThan(3)
    }
  })

  it('writes text in more than 20 encodings, each with letters it has', () => {
    expect(new Set(encodings.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20)
    const { sentence } = createSentenceGenerator(seededRandom(1))
    for (const encoding of encodings) {
      for (const language of encoding.languages) {
        const text = Array.from({ length: 8 }, () => sentence(language)).join('\n')
        expect(iconv.decode(encodeAs(text, encoding), encoding.name), `${language} in ${encoding.name}`).toBe(text)
      }
    }
    expect(new Set(encodings.flatMap(({ languages }) => languages)).size).toBe(languageNames.length)
  })

  it('writes csv and txt in the encoding they are said to have', async () => {
    for (const type of ['csv', 'txt'] as const) {
      for (const { name } of encodings) {
        const { bytes, truth } = await createMaterial(type, 5, { encoding: name })
        expect(truth.encoding).toBe(name)
        const text = iconv.decode(bytes, name)
        for (const sentence of truth.sentences) expect(text).toContain(sentence.text)
      }
    }
  })

  it('writes json in which each sentence is at its path', async () => {
    const forms = new Set<string>()
    for (const seed of seeds) {
      const { bytes, truth } = await createMaterial('json', seed)
      const content = bytes.toString().trim()
      const lines = content.startsWith('{') && content.includes('}\n{')
      const value: unknown = lines
        ? content.split('\n').map((line) => JSON.parse(line) as unknown)
        : JSON.parse(content)
      forms.add(lines ? 'lines' : Array.isArray(value) ? 'array' : 'object')
      for (const { path, text } of truth.sentences) {
        const key = (path as string).slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
        expect(JSON.stringify((value as Record<string, unknown>)[key])).toContain(text)
      }
    }
    expect(forms.size).toBeGreaterThan(1)
  })

  it('writes Markdown with its sentences below their headings', async () => {
    for (const seed of seeds) {
      const { bytes, truth } = await createMaterial('md', seed)
      const content = bytes.toString()
      for (const sentence of truth.sentences) {
        const index = content.indexOf(sentence.text)
        expect(index).toBeGreaterThan(0)
        expect(content.lastIndexOf(sentence.headings.at(-1) as string, index)).toBeGreaterThan(-1)
      }
    }
  })
})
