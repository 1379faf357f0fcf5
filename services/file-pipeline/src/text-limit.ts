import { hash } from 'node:crypto'
import { permanentError } from '@cairn/contracts/permanent-error'

const mebi = 1024 * 1024

/** UTF-16 units of all chunks of any file. */
export const maxCharacters = 16 * 1024 * mebi
/** Small files; the limit of larger ones grows with their size. */
export const freeCharacters = 64 * mebi
/** UTF-16 units per uploaded byte (Office files: compressed). */
export const charactersPerByte = 100

/** A text of 5 GB has about 5 million chunks, in Chinese or Japanese up to 8 million. */
export const maxChunks = 10_000_000
/** Any file may have these, however little its text. */
export const freeChunks = 20_000
/**
 * For each million UTF-16 units of distinct text. Running text and tables have 600 to 1,500, Chinese and Japanese
 * 4,500, entries of a dictionary 13,000, and pages of a single line 26,000.
 */
export const chunksPerMillion = 30_000

export const chunkLimit = (distinctCharacters: number): number =>
  Math.min(maxChunks, Math.max(freeChunks, (chunksPerMillion * distinctCharacters) / 1_000_000))

/** UTF-16 units of all chunks, without summaries. */
export const textLimit = (sizeBytes: number): number =>
  Math.min(maxCharacters, Math.max(freeCharacters, charactersPerByte * sizeBytes))

/** Chunks among which a repeated text is found; the memory for it must not grow with the file. */
const rememberedTexts = 100_000

/** Counts the text of a file's chunks. */
export class TextCount {
  readonly #sizeBytes: number
  #texts = new Set<string>()
  characters: number
  distinctCharacters: number

  /** `counted`: by an earlier run. */
  constructor(
    sizeBytes: number,
    counted?: { readonly characters: number; readonly distinctCharacters?: number | undefined },
  ) {
    this.#sizeBytes = sizeBytes
    this.characters = counted?.characters ?? 0
    this.distinctCharacters = counted?.distinctCharacters ?? this.characters
  }

  /**
   * Counts the text of a chunk that `chunks` others precede. Throws a permanent error if the file has more text than its
   * size allows, or more chunks than its distinct text allows.
   */
  add(text: string, chunks: number): void {
    this.characters += text.length
    const limit = textLimit(this.#sizeBytes)
    if (this.characters > limit)
      throw permanentError(
        'too_much_text',
        `The text of the file has more than ${limit} characters, ${this.#sizeBytes} bytes were uploaded.`,
      )
    const key = hash('sha256', text, 'base64')
    if (!this.#texts.has(key)) this.distinctCharacters += text.length
    if (this.#texts.size >= rememberedTexts) this.#texts = new Set()
    this.#texts.add(key)
    if (chunks >= chunkLimit(this.distinctCharacters))
      throw permanentError(
        'too_many_chunks',
        `The file has more than ${chunks} chunks, with ${this.distinctCharacters} characters of different text.`,
      )
  }
}
