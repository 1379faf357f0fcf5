import type { ExtractEvent, Extractor } from '../block.ts'
import { blockWriter } from '../shared/block-writer.ts'
import { peekText } from '../shared/peek-text.ts'
import { openText } from '../shared/text-file.ts'
import { isUnreadable } from '../unreadable.ts'
import { JsonRecords } from './json-records.ts'
import { JsonTokens } from './json-tokens.ts'

const headUnits = 1024 * 1024

/** Decides from the head whether the file is NDJSON: paths must be correct from the first record. */
const isSequence = (head: string): boolean => {
  let depth = 0
  let values = 0
  const onValue = () => {
    if (depth === 0) values++
  }
  const tokens = new JsonTokens({
    open: () => {
      onValue()
      depth++
    },
    close: () => {
      depth--
    },
    name: () => undefined,
    value: onValue,
  })
  try {
    tokens.write(head)
  } catch (error) {
    // Reading the whole file throws it again.
    if (!isUnreadable(error)) throw error
  }
  return values > 1
}

/** Yields one `row` per record; a sequence is treated as an array. */
export const extractJson: Extractor = async function* (path, options) {
  const writer = blockWriter(options)
  const file = yield* openText(path, options, writer)
  const { head, all } = await peekText(file.text, headUnits)
  let events: ExtractEvent[] = []
  let records = 0
  const tokens = new JsonTokens(
    new JsonRecords(isSequence(head), ({ path: at, text, isNull }) => {
      records++
      // In valid JSON, a NUL can only come from an escape within a string, where it separates no words.
      const row = text.replaceAll('\0', '')
      for (const event of writer.block({ kind: 'row', text: row, at: { path: at } }, isNull)) events.push(event)
    }),
  )
  const slices = async function* () {
    // A head of one megabyte in one piece would produce a megabyte of events.
    for await (const text of all)
      for (let index = 0; index < text.length; index += headUnits / 16) yield text.slice(index, index + headUnits / 16)
  }
  for await (const text of slices()) {
    let failed: { error: unknown } | undefined
    try {
      tokens.write(text)
    } catch (error) {
      failed = { error }
    }
    // Before throwing, so that a file yields the same events however it is cut into pieces.
    const found = events
    events = []
    yield* found
    if (failed) throw failed.error
    yield* writer.progress(file.bytes(), records)
  }
  tokens.end()
  yield* events
  yield* file.notes()
  writer.end()
}
