import { readFileSync } from 'node:fs'
import type { Hit } from '@cairn/client'
import { createMaterial } from '@cairn/testing/material/create-material'
import { seededRandom } from '@cairn/testing/seeded-random'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../browser.ts'
import { compareWords, type PageWord, picturesOfPdf, requirePoppler, wordsOfPdf } from '../page-words.ts'
import { createNamespace, search, useTarget } from '../story.ts'

const story = useTarget()
const readWithinMs = 120_000

const vocabulary =
  'orchard keeper valley mill winter bridge letter harbour lantern meadow copper engine garden window river market candle forest silver thunder basket compass village feather granite harvest island jacket kettle ladder mirror needle saddle ticket umbrella velvet wagon yellow zebra anchor'.split(
    ' ',
  )

/** Sentences of 8 to 20 words, each with a word of its own. */
const sentencesOf = (seed: number, count: number): string[] => {
  const random = seededRandom(seed)
  const pick = () => vocabulary[random.below(vocabulary.length)] as string
  return Array.from({ length: count }, (_, index) => {
    const words = Array.from({ length: 8 + random.below(12) }, pick)
    words.splice(3, 0, `q${seed}x${index}`)
    return `The ${words.join(' ')}.`
  })
}

const paragraphs = (sentences: readonly string[], each: number): string =>
  Array.from(
    { length: Math.ceil(sentences.length / each) },
    (_, index) => `<p>${sentences.slice(index * each, (index + 1) * each).join(' ')}</p>`,
  ).join('')

const layouts = [
  { name: 'serif', css: 'font: 11pt serif', body: paragraphs },
  { name: 'sans', css: 'font: 10pt sans-serif; text-align: justify', body: paragraphs },
  { name: 'columns', css: 'font: 10pt serif; columns: 2; text-align: justify', body: paragraphs },
  { name: 'mono', css: 'font: 9pt monospace', body: paragraphs },
  {
    name: 'list',
    css: 'font: 12pt serif',
    body: (some: readonly string[]) => `<ul>${some.map((one) => `<li>${one}</li>`).join('')}</ul>`,
  },
] as const

const total = { inside: 0, told: 0, both: 0 }

/** Shares of the passages' words inside of the boxes, and of the words inside that are the passages'. */
const shares = (compared: readonly (typeof total)[]) => {
  const sum = (key: keyof typeof total) => compared.reduce((all, one) => all + one[key], 0)
  return { recall: sum('both') / sum('told'), precision: sum('both') / sum('inside') }
}

const passageOf = ({ text, highlights }: Hit): string => {
  const [{ start, end } = { start: 0, end: text.length }] = highlights ?? []
  return [...text].slice(start, end).join('')
}

describeInBrowser('the places of hits', (browser) => {
  const printed = async (css: string, body: string): Promise<string> => {
    const path = temporaryFile('printed.pdf')
    const page = await browser().newPage()
    await page.setContent(`<html><head><meta charset="utf-8"><style>body { ${css} }</style></head><body>${body}</body>`)
    await page.pdf({ path, format: 'A4', margin: { top: '2cm', bottom: '2cm', left: '2cm', right: '2cm' } })
    await page.close()
    return path
  }
  const scene = async () => {
    const { api } = await story.member()
    const namespace = await createNamespace(api)
    const send = async (name: string, bytes: Uint8Array) => {
      await api.sdk.files.upload(namespace, new Blob([Buffer.from(bytes)]), { name })
      const { state } = await api.sdk.waitFor.file(namespace, name, { timeoutMs: readWithinMs })
      expect(state).toBe('completed')
    }
    const find = async (query: string) => {
      const { results } = await search(api, [namespace], query, { mode: 'lexical', highlights: true, top_k: 5 })
      // A summary quotes sentences of many pages.
      const hit = results.find(({ metadata }) => !('is_summary' in metadata))
      const [place] = hit?.places ?? []
      if (!hit || !place) throw new Error(`no place for ${query}`)
      return { hit, place }
    }
    return { send, find }
  }

  it('are the page and the lines of the passage, as another reader sees them', async ({ skip }) => {
    requirePoppler(skip)
    const { send, find } = await scene()
    const compared: (typeof total)[] = []
    for (const [index, { name, css, body }] of layouts.entries()) {
      const sentences = sentencesOf(index + 1, 80)
      const path = await printed(css, body(sentences, 5))
      const words = await wordsOfPdf(path)
      await send(`${name}.pdf`, readFileSync(path))
      for (let at = 3; at < sentences.length; at += 4) {
        const key = `q${index + 1}x${at}`
        const { hit, place } = await find(key)
        expect(place.file).toBe(`${name}.pdf`)
        expect(place.page).toBe(words.find(({ text }) => text === key)?.page)
        compared.push(compareWords(passageOf(hit), place, words))
      }
    }
    const { recall, precision } = shares(compared)
    console.log(
      `${compared.length} hits in printed PDFs: recall ${recall.toFixed(4)}, precision ${precision.toFixed(4)}`,
    )
    expect(compared.length).toBe(100)
    expect(recall).toBeGreaterThanOrEqual(0.98)
    expect(precision).toBeGreaterThanOrEqual(0.98)
  })

  it('are the words of the passage in a scan', async ({ skip }) => {
    requirePoppler(skip)
    const { send, find } = await scene()
    const compared: (typeof total)[] = []
    for (const seed of [21, 22]) {
      const sentences = sentencesOf(seed, 16)
      const path = await printed('font: 13pt serif', paragraphs(sentences, 4))
      const words: readonly PageWord[] = await wordsOfPdf(path)
      const [picture] = await picturesOfPdf(path, 200, 1)
      await send(`scan-${seed}.png`, readFileSync(picture as string))
      for (const sentence of sentences.slice(0, 10)) {
        const { hit, place } = await find(sentence.split(' ').slice(1, 9).join(' '))
        expect(place.page).toBe(1)
        compared.push(compareWords(passageOf(hit), place, words))
      }
    }
    const { recall, precision } = shares(compared)
    console.log(`${compared.length} hits in scans: recall ${recall.toFixed(4)}, precision ${precision.toFixed(4)}`)
    expect(recall).toBeGreaterThanOrEqual(0.9)
    expect(precision).toBeGreaterThanOrEqual(0.9)
  })

  it('are a heading, rows and columns, or a slide in other files', async () => {
    for (const type of ['docx', 'xlsx', 'pptx'] as const) {
      const { send, find } = await scene()
      const { bytes, truth } = await createMaterial(type, 5)
      await send(`other.${type}`, bytes)
      for (const { text, page, sheet, row, headings } of truth.sentences.slice(0, 10)) {
        const { hit, place } = await find(text.slice(0, 200))
        expect(place.file).toBe(`other.${type}`)
        const { from = 0, to = 0 } = place.rows ?? {}
        expect([place.slide, place.sheet, from <= (row ?? 0) && (row ?? 0) <= to]).toEqual([page, sheet, true])
        if (type === 'docx') expect(place.heading).toContain(headings.at(-1))
        if (type === 'xlsx') expect(place.columns?.from).toBeGreaterThan(0)
        expect(hit.text.length).toBeGreaterThan(0)
      }
    }
  })
})
