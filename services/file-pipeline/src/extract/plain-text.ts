import type { Extractor } from './block.ts'
import { blockWriter, maxBlockUnits } from './block-writer.ts'
import { decodeFile, findEncoding, guessedMessage } from './encoding.ts'
import { linesOf } from './lines.ts'

/** Yields one block per paragraph. Blank lines and page breaks (form feeds) separate paragraphs. */
export const extractPlainText: Extractor = async function* (path, options) {
  const writer = blockWriter(options)
  const encoding = yield* findEncoding(path, options)
  if (encoding.guessed) yield* writer.note('encoding_guessed', guessedMessage(encoding))
  const file = decodeFile(path, encoding)

  let from = 0
  let parts: string[] = []
  let units = 0
  const paragraph = () => {
    const text = parts.join('')
    parts = []
    units = 0
    return text === '' ? [] : writer.block({ kind: 'text', text, at: { offset: { from, to: from + text.length } } })
  }

  for await (const lines of linesOf(file.text)) {
    for (const line of lines) {
      const length = line.to - line.from
      if (line.text.trim() === '' || line.text.startsWith('\f') || units + length > maxBlockUnits) yield* paragraph()
      if (units === 0) from = line.from
      // Only the length of the line end matters here: offsets count units, and the writer converts every line end to
      // LF.
      parts.push(line.text, length - line.text.length === 2 ? '\r\n' : length > line.text.length ? '\n' : '')
      units += length
    }
    yield* writer.progress(file.bytes())
  }
  yield* paragraph()
  writer.end()
}
