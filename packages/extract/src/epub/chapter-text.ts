import iconv from 'iconv-lite'
import { encodingIn, headBytes } from '../html/encoding.ts'
import { htmlParser, type ParseOptions } from '../html/parse.ts'
import type { HtmlElement } from '../html/tree.ts'
import { byteOrderMark } from '../shared/encoding/encoding.ts'
import type { CheckedZip } from '../shared/zip-check.ts'

/** Yields the size of each piece read, in bytes. */
export async function* parseChapter(
  zip: CheckedZip,
  path: string,
  ids?: ParseOptions['ids'],
): AsyncGenerator<number, HtmlElement> {
  const parser = htmlParser({ isXml: true, ...(ids && { ids }) })
  let decoder: ReturnType<typeof iconv.getDecoder> | undefined
  for await (const chunk of zip.read(path)) {
    const mark = decoder ? undefined : byteOrderMark(chunk)
    decoder ??= iconv.getDecoder(mark?.name ?? encodingIn(chunk.subarray(0, headBytes)) ?? 'utf-8')
    parser.write(decoder.write(mark ? chunk.subarray(mark.mark) : chunk))
    yield chunk.length
  }
  parser.write(decoder?.end() ?? '')
  return parser.end()
}
