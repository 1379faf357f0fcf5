import { isDeepStrictEqual } from 'node:util'
import type { FileNote } from '@cairn/domain/files/record'
import type { Place } from '@cairn/extract/block'
import { clip } from './chunk-drafts.ts'

const maxNotes = 100
/** One per scanned page; leaves the rest of `maxNotes` to other notes. */
const maxOcrNotes = 80

/** Names in a file may have any length, and a record holds many notes. */
const placeOf = ({ pageTitle, sheet, path, ...at }: Place): Place => ({
  ...at,
  ...(pageTitle === undefined ? {} : { pageTitle: clip(pageTitle) }),
  ...(sheet === undefined ? {} : { sheet: clip(sheet) }),
  ...(path === undefined ? {} : { path: clip(path) }),
})

export class ReadingNotes {
  readonly all: FileNote[]
  readonly #known: number
  readonly #confidence = new Map<number, number>()

  /** `known`: notes of an earlier run, which this run finds again. */
  constructor(known: readonly FileNote[]) {
    this.all = [...known]
    this.#known = known.length
  }

  get hasNew(): boolean {
    return this.all.length > this.#known
  }

  add({ code, message, at }: FileNote, max = maxNotes): void {
    if (this.all.length >= maxNotes || this.all.filter((known) => known.code === code).length >= max) return
    const note = { code, message, ...(at && { at: placeOf(at) }) }
    if (!this.all.some((known) => isDeepStrictEqual(known, note))) this.all.push(note)
  }

  addOcr(page: number, confidence: number): void {
    this.#confidence.set(page, confidence)
    const message = `Page ${page} was read by OCR, confidence ${Math.round(confidence)} of 100.`
    this.add({ code: 'read_by_ocr', message, at: { page } }, maxOcrNotes)
  }

  /** Undefined for a page that OCR did not read. */
  confidenceOf(page: number | undefined): number | undefined {
    return this.#confidence.get(page ?? 0)
  }
}
