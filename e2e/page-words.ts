import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Hit } from '@cairn/client'

type Place = NonNullable<Hit['places']>[number]
/** A word of a page as poppler finds it, in parts of the page. */
export type PageWord = { readonly text: string; readonly x: number; readonly y: number; readonly page: number }

/** Skips a test, or fails it if poppler is required, where the independent reader of PDFs is not installed. */
export const requirePoppler = (skip: (reason: string) => void): void => {
  if (['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].some((folder) => existsSync(`${folder}/pdftotext`))) return
  const reason = 'no pdftotext on this machine: `apt-get install poppler-utils` gets it'
  if (process.env['REQUIRE_POPPLER'] === '1') throw new Error(reason)
  skip(reason)
}

const run = promisify(execFile)

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Reads the words of a PDF with the centers of their boxes, by `pdftotext -bbox`. */
export const wordsOfPdf = async (path: string): Promise<PageWord[]> => {
  const { stdout } = await run('pdftotext', ['-bbox', path, '-'], { maxBuffer: 64 * 1024 * 1024 })
  return stdout.split('<page ').flatMap((page, index) => {
    const [, width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(page) ?? []
    return Array.from(
      page.matchAll(/<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)<\/word>/g),
      ([, x0, y0, x1, y1, text = '']) => ({
        text: text.replace(/&(\w+|#39);/g, (_, name: string) => entities[name] ?? ''),
        x: (Number(x0) + Number(x1)) / 2 / Number(width),
        y: (Number(y0) + Number(y1)) / 2 / Number(height),
        page: index,
      }),
    )
  })
}

/** Renders each page of a PDF as a picture; returns the paths. */
export const picturesOfPdf = async (path: string, dpi: number, pages: number): Promise<string[]> => {
  const digits = String(pages).length
  await run('pdftoppm', ['-png', '-r', String(dpi), path, path])
  return Array.from({ length: pages }, (_, index) => `${path}-${String(index + 1).padStart(digits, '0')}.png`)
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

const counted = (words: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Words inside the boxes of a place, words of the passage, and those in both. */
export const compareWords = (passage: string, { page, boxes = [] }: Place, words: readonly PageWord[]) => {
  const inside = words.filter(
    (word) =>
      word.page === page &&
      boxes.some(
        ({ left, top, width, height }) =>
          word.x >= left && word.x <= left + width && word.y >= top && word.y <= top + height,
      ),
  )
  const [seen, told] = [counted(inside.flatMap(({ text }) => wordsOf(text))), counted(wordsOf(passage))]
  const sum = (counts: Map<string, number>) => counts.values().reduce((a, b) => a + b, 0)
  const both = told.entries().reduce((found, [word, count]) => found + Math.min(count, seen.get(word) ?? 0), 0)
  return { inside: sum(seen), told: sum(told), both, first: inside[0]?.text, last: inside.at(-1)?.text }
}
