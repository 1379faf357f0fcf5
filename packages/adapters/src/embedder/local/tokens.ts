import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Piece, TokenizerKind } from './tokenizer-kind.ts'
import { unigram } from './unigram.ts'
import { wordPieces } from './word-pieces.ts'

const maxCachedPieceLength = 32
const cacheSize = 20_000
/** Marks after 30 others: normalizers sort a row in quadratic time, and no language has longer ones. */
const furtherMark = /(?<=[\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]/gu

/** Blanks keep the other characters in their places. */
const withoutFurtherMarks = (text: string): string => text.replace(furtherMark, (mark) => ' '.repeat(mark.length))

/** Adds offsets and a limit, which the model's own tokenizer lacks. Pieces of texts repeat, so most are cached. */
export const openTokens = (modelDir: string) => {
  const { special, pieces, cut } = openKind(modelDir)
  const cache = new Map<string, Piece>()

  const pieceOf = (text: string): Piece => {
    const cached = cache.get(text)
    if (cached !== undefined) return cached
    const piece = cut(text)
    if (text.length <= maxCachedPieceLength) {
      if (cache.size >= cacheSize) cache.clear()
      // A copy, because a part of a string keeps the whole text in memory.
      cache.set(Buffer.from(text, 'utf16le').toString('utf16le'), piece)
    }
    return piece
  }

  return {
    special,
    /** Leaves out special tokens. */
    ids: (text: string, limit: number): number[] => {
      const ids: number[] = []
      for (const match of withoutFurtherMarks(text).matchAll(pieces)) {
        for (const id of pieceOf(match[0]).ids) ids.push(id)
        if (ids.length >= limit) break
      }
      return ids.slice(0, limit)
    },
    /** Returns UTF-16 offsets, ascending, possibly equal: one character can give several tokens. */
    starts: (text: string): Uint32Array<ArrayBuffer> => {
      const starts: number[] = []
      for (const match of withoutFurtherMarks(text).matchAll(pieces)) {
        for (const start of pieceOf(match[0]).starts) starts.push(match.index + start)
      }
      return Uint32Array.from(starts)
    },
  }
}

const openKind = (modelDir: string): TokenizerKind => {
  const file = JSON.parse(readFileSync(join(modelDir, 'tokenizer.json'), 'utf8'))
  switch (file.model?.type) {
    case 'WordPiece':
      return wordPieces(file)
    case 'Unigram':
      return unigram(file)
    default:
      throw new Error(`tokenizer.json is of type ${file.model?.type}, not WordPiece or Unigram`)
  }
}
