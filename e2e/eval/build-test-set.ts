import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { atOnce } from '@cairn/contracts/flow/at-once'

/** A sentence written about a longer text, and the text without the sentence. */
type Pair = { readonly name: string; readonly question: string; readonly text: string }

const minQuestionLength = 20
const minTextLength = 200
const maxPairs = 2_000
const pagesAtOnce = 2

const normalized = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** Removes every occurrence of the sentence; otherwise a query would find the sentence itself and not the text. */
const without = (text: string, sentence: string): string => {
  const pattern = sentence
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('\\s+')
  return text.replaceAll(new RegExp(pattern, 'giu'), ' ')
}

type Manifest = { readonly name?: unknown; readonly description?: unknown }

/** Returns the description of each installed npm package, except Cairn's own, with its README. */
const readmes = (): Pair[] => {
  const root = join(import.meta.dirname, '../../node_modules')
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) =>
      name.startsWith('@') ? readdirSync(join(root, name)).map((inner) => `${name}/${inner}`) : [name],
    )
    .sort()
  return folders.flatMap((folder) => {
    const manifest = join(root, folder, 'package.json')
    const readme = readdirSync(join(root, folder)).find((name) => /^readme(\.md|\.markdown)?$/i.test(name))
    if (!existsSync(manifest) || readme === undefined) return []
    const { name, description } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest
    if (typeof name !== 'string' || typeof description !== 'string' || name.startsWith('@cairn/')) return []
    return [
      { name, question: description, text: without(readFileSync(join(root, folder, readme), 'utf8'), description) },
    ]
  })
}

const manualFolder = '/usr/share/man/man1'
const rendered = async (page: string): Promise<string> => {
  const { stdout } = await promisify(execFile)('man', ['--encoding=UTF-8', join(manualFolder, page)], {
    env: { PATH: process.env['PATH'], MANPAGER: 'cat', MANWIDTH: '120', LANG: 'C.UTF-8' },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 20_000,
  })
  // Removes overstrikes of bold and underlined characters.
  return stdout.replaceAll(/.[\b]/g, '')
}

/** Returns the NAME lines of up to 2,000 manual pages of section 1, each with the rest of its page. */
const manual = async (): Promise<Pair[]> => {
  const pages = new Map<string, string>()
  for (const page of readdirSync(manualFolder).sort()) {
    const path = realpathSync(join(manualFolder, page))
    if (!pages.has(path)) pages.set(path, page)
  }
  // Sampled evenly over the alphabet, so that no single package fills the collection.
  const all = [...pages.values()]
  const step = Math.max(1, all.length / maxPairs)
  const chosen = Array.from(
    { length: Math.min(all.length, maxPairs) },
    (_, index) => all[Math.floor(index * step)] ?? '',
  )
  const pairs = await atOnce(pagesAtOnce, chosen, async (page): Promise<Pair[]> => {
    const text = await rendered(page).catch(() => '')
    const found = /^NAME\n\s+[^\n]*? (?:-|–|—|−) (?<question>.*?)\n(?=\S)/ms.exec(text)
    const { question = '' } = found?.groups ?? {}
    if (!found || question === '') return []
    const rest = text.slice(found.index + found[0].length)
    return [{ name: page, question: question.replaceAll(/\s+/g, ' ').trim(), text: without(rest, question) }]
  })
  return pairs.flat()
}

/**
 * Writes a collection in BEIR's format: each pair becomes a document (the text) and a query (the sentence) for which
 * only this document is relevant. If several texts have the same sentence, all of them are relevant. Equal texts are
 * written once.
 */
export const buildTestSet = async (
  kind: 'readmes' | 'manual',
  folder: string,
): Promise<{ readonly documents: number; readonly queries: number }> => {
  const byText = new Map<string, Pair>()
  for (const pair of kind === 'readmes' ? readmes() : await manual()) {
    if (pair.question.length < minQuestionLength || pair.text.trim().length < minTextLength) continue
    const key = createHash('sha256').update(normalized(pair.text)).digest('hex')
    if (!byText.has(key)) byText.set(key, pair)
  }
  const pairs = [...byText.values()].slice(0, maxPairs)
  const byQuestion = Map.groupBy(pairs, ({ question }) => normalized(question))
  mkdirSync(folder, { recursive: true })
  const write = (name: string, lines: readonly string[]) => writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
  write(
    'corpus.jsonl',
    pairs.map(({ name, text }) => JSON.stringify({ _id: name, title: '', text })),
  )
  const questions = [...byQuestion.values()]
  write(
    'queries.jsonl',
    questions.map(([first], index) => JSON.stringify({ _id: `q${index}`, text: first?.question })),
  )
  write('qrels.tsv', [
    'query-id\tcorpus-id\tscore',
    ...questions.flatMap((same, index) => same.map(({ name }) => `q${index}\t${name}\t1`)),
  ])
  return { documents: pairs.length, queries: questions.length }
}
