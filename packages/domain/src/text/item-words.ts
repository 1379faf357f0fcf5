import type { UserObject } from '@cairn/contracts/documents/metadata'
import { fieldsOf } from '@cairn/contracts/documents/metadata-filter'
import { parseExact } from '@cairn/contracts/json/exact-json'
import { limits } from '@cairn/contracts/limits'
import type { Language } from '@cairn/contracts/text/languages'
import { metadataTerms, passageWords } from '@cairn/contracts/text/terms'
import type { Point } from '../ports/vector-index.ts'
import { lexemesOf } from './lexemes.ts'
import { passageTerm } from './passage-term.ts'

/** `metadata` is JSON. */
export type ItemTexts = {
  /** `vector`: of a vector namespace, never found by words. */
  readonly kind: 'document' | 'chunk' | 'vector'
  readonly metadata: string
  readonly passages: readonly string[]
  readonly language: Language | undefined
}
/** One element for each passage. */
export type ItemWords = readonly Pick<Point, 'terms' | 'words' | 'fields' | 'lexemes'>[]

/** Returns the first `max` code points, without a word that would be cut. */
const beginningOf = (text: string, max: number): string => {
  const points = Array.from(text)
  const begun = points.slice(0, max).join('')
  return points.length <= max || /^\s/u.test(points[max] ?? '') ? begun : begun.replace(/(?<=\s)\S+$/u, '')
}

/** Metadata of a chunk that says in which file, and where in it, its text stands. */
const keysOfPlace = ['source', 'title', 'page_title', 'heading', 'sheet'] as const

/** Searches find its words, too, and count them less. A document's is what the client sent as `context`. */
const contextOf = (kind: ItemTexts['kind'], metadata: UserObject): string => {
  const textOf = (key: string): string => (typeof metadata[key] === 'string' ? metadata[key] : '')
  if (kind === 'chunk') return keysOfPlace.map(textOf).join('\n')
  return beginningOf(textOf('context'), limits.documentContextLength)
}

export const wordsOfItem = ({ kind, metadata: json, passages, language }: ItemTexts): ItemWords => {
  const metadata = parseExact(json) as UserObject
  const context = contextOf(kind, metadata)
  const [terms, fields] = [metadataTerms(metadata), fieldsOf(metadata)]
  return passages.map((text) => ({
    terms: kind === 'vector' ? terms : [...terms, passageTerm(text)],
    words: passageWords(text),
    fields,
    ...(kind === 'vector' ? {} : { lexemes: lexemesOf(text, language, context) }),
  }))
}
