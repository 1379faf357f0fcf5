import type { Extractor } from '../block.ts'
import { blockWriter } from '../shared/block-writer.ts'
import { notReadCounter } from '../shared/not-read.ts'
import { openText } from '../shared/text-file.ts'
import { declaredEncoding } from './encoding.ts'
import { pageEvents } from './page.ts'
import { htmlParser } from './parse.ts'
import { htmlProperties } from './properties.ts'

export const extractHtml: Extractor = async function* (path, options) {
  const writer = blockWriter(options)
  const file = yield* openText(path, options, writer, await declaredEncoding(path, options.encoding))
  const parser = htmlParser()
  for await (const piece of file.text) {
    parser.write(piece)
    yield* writer.progress(file.bytes())
  }
  const root = parser.end()
  const properties = htmlProperties(root)
  if (Object.keys(properties).length > 0) yield { event: 'properties', properties }
  const notRead = notReadCounter()
  yield* pageEvents(root, { writer, notRead, keepsHidden: options.hiddenText === 'keep', isOfSite: true })
  for (const message of notRead.messages()) yield* writer.note('content_not_read', message)
  yield* file.notes()
  writer.end()
}
