import type { ExtractEvent, ExtractOptions } from '../block.ts'
import type { BlockWriter } from './block-writer.ts'
import { type DecodedFile, decodeFile, type Encoding, findEncoding } from './encoding/encoding.ts'

export type TextFile = DecodedFile & {
  readonly again: () => AsyncIterable<string>
  /** Known once all text is read. */
  readonly notes: () => ExtractEvent[]
}

const guessed = ({ name }: Encoding): string =>
  `The encoding is not stated; the text was read as ${name}. If it looks wrong, try again and name the encoding.`

const replaced = (count: number, { name }: Encoding): string =>
  `${count} ${count === 1 ? 'character is' : 'characters are'} not valid ${name} and became U+FFFD. If the text looks wrong, try again and name its encoding.`

/** Yields a note if the encoding is a guess. */
export async function* openText(
  path: string,
  options: ExtractOptions,
  writer: BlockWriter,
  declared?: string,
): AsyncGenerator<ExtractEvent, TextFile> {
  const encoding = yield* findEncoding(path, options, declared)
  if (encoding.guessed) yield* writer.note('encoding_guessed', guessed(encoding))
  const file = decodeFile(path, encoding)
  const notes = () => (file.replaced() === 0 ? [] : writer.note('bytes_replaced', replaced(file.replaced(), encoding)))
  return { ...file, again: () => decodeFile(path, encoding).text, notes }
}
