import type { Extractor } from '../block.ts'
import { blockWriter, maxBlockUnits } from '../shared/block-writer.ts'
import { openText } from '../shared/text-file.ts'
import { linesOf } from './lines.ts'

/** Blank lines and page breaks (form feeds) separate paragraphs. */
export const extractPlainText: Extractor = async function* (path, options) {
  const writer = blockWriter(options)
  const file = yield* openText(path, options, writer)
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
      const lineEnd = line.to - line.from - line.text.length
      const pages = line.text.split('\f')
      let position = line.from
      for (const [index, text] of pages.entries()) {
        const end = index === pages.length - 1 ? lineEnd : 0
        if (index > 0 || text.trim() === '' || units + text.length + end > maxBlockUnits) yield* paragraph()
        if (units === 0) from = position
        // Only the length of the line end matters: offsets count units, and the writer makes every line end LF.
        parts.push(text, end === 2 ? '\r\n' : end === 1 ? '\n' : '')
        units += text.length + end
        position += text.length + 1
      }
    }
    yield* writer.progress(file.bytes())
  }
  yield* paragraph()
  yield* file.notes()
  writer.end()
}
