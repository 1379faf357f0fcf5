import { isAscii, isUtf8 } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
import { AppError } from '@cairn/contracts/errors'
import iconv from 'iconv-lite'
import type { ExtractEvent, ExtractOptions } from '../../block.ts'
import { unreadable } from '../../unreadable.ts'
import { countUtf8, isLatinUtf8, isNearlyUtf8, isUtf8Despite, type Utf8Count } from './count-utf8.ts'
import { guessEncoding, guessUtf16 } from './guess-encoding.ts'

const chunkBytes = 1024 * 1024
const pieceBytes = 32 * 1024
const sampleBytes = 128 * 1024
/** Non-ASCII characters to check before a text counts as not being UTF-8. */
const enoughCharacters = 100_000

/** Share of non-ASCII bytes that are damage if they fit no encoding. */
const maxDamage = 0.01

export type Encoding = {
  /** iconv-lite's name. */
  readonly name: string
  /** Neither declared nor proven: the text may be wrong, so the file gets a note. */
  readonly guessed: boolean
  /** Bytes of the byte order mark, which is not part of the text. */
  readonly mark: number
}

/** Longer ones first: the UTF-32 mark begins with the UTF-16 mark. */
const marks = [
  { name: 'utf-32le', bytes: [0xff, 0xfe, 0, 0] },
  { name: 'utf-32be', bytes: [0, 0, 0xfe, 0xff] },
  { name: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { name: 'utf-16le', bytes: [0xff, 0xfe] },
  { name: 'utf-16be', bytes: [0xfe, 0xff] },
]

export const byteOrderMark = (head: Uint8Array): Encoding | undefined => {
  const found = marks.find(
    ({ bytes }) => bytes.length <= head.length && bytes.every((byte, index) => head[index] === byte),
  )
  return found && { name: found.name, guessed: false, mark: found.bytes.length }
}

/** Bytes at the end that begin an incomplete UTF-8 character. */
const unfinished = (buffer: Buffer): number => {
  for (let back = 1; back <= Math.min(3, buffer.length); back++) {
    const byte = buffer[buffer.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}

/** Bytes around the first non-ASCII one, which may come late in a long file. */
const tellingPart = (chunk: Buffer): Buffer => {
  const index = chunk.findIndex((byte) => byte >= 0x80)
  return chunk.subarray(Math.max(0, index - 256), Math.max(0, index - 256) + sampleBytes)
}

/** In many other encodings, the bytes of a UTF-8 mark are letters and prove nothing. */
const withoutMarks = (sample: Buffer): Buffer =>
  Buffer.from(sample.toString('latin1').replaceAll('\xef\xbb\xbf', ''), 'latin1')

/** Truncated logs begin with zeros. Keeps pairs of bytes aligned. */
export const withoutLeadingZeros = (bytes: Buffer): Buffer => {
  const found = bytes.findIndex((byte) => byte !== 0)
  const zeros = found < 0 ? bytes.length : found
  return zeros < 4 ? bytes : bytes.subarray(zeros & ~1)
}

type Scanned = {
  /** Without UTF-8 marks; `isCut`: the bytes end within a character. */
  readonly utf8: Utf8Count & { readonly isCut: boolean }
  readonly sample: Buffer
  /** Without leading zeros. */
  readonly head: Buffer
}

/** Reads until enough characters are counted and some are not UTF-8, otherwise to the end. */
async function* scan(file: FileHandle): AsyncGenerator<ExtractEvent, Scanned> {
  const buffer = Buffer.allocUnsafe(chunkBytes)
  const samples: Buffer[] = []
  let sampled = 0
  let whole = 0
  let broken = 0
  let head = Buffer.alloc(0)
  let kept = 0
  for (let position = 0, round = 1; ; round++) {
    const { bytesRead } = await file.read(buffer, kept, chunkBytes - kept, position)
    position += bytesRead
    const all = buffer.subarray(0, kept + bytesRead)
    if (head.length === 0) head = Buffer.from(withoutLeadingZeros(all).subarray(0, sampleBytes))
    kept = unfinished(all)
    const chunk = all.subarray(0, all.length - kept)
    if (!isAscii(chunk)) {
      if (whole < enoughCharacters || !isUtf8(chunk)) {
        const counted = countUtf8(withoutMarks(chunk))
        whole += counted.whole
        broken += counted.broken
      }
    }
    if (bytesRead > 0 && sampled < sampleBytes * 4 && !isAscii(all)) {
      const part = Buffer.from(tellingPart(all))
      samples.push(part)
      sampled += part.length
    }
    const isEnough = broken > 0 && whole + broken >= enoughCharacters && sampled >= sampleBytes * 4
    if (bytesRead === 0 || isEnough) break
    buffer.copyWithin(0, all.length - kept, all.length)
    if (round % 64 === 0) yield { event: 'progress', bytes: 0 }
  }
  return { utf8: { whole, broken, isCut: kept > 0 }, sample: Buffer.concat(samples), head }
}

/** Throws AppError `invalid`. */
export const checkEncoding = (encoding: string | undefined): void => {
  if (encoding !== undefined && !iconv.encodingExists(encoding))
    throw new AppError('invalid', `The encoding "${encoding}" is not known.`)
}

/**
 * A requested name wins, then a byte order mark that the bytes do not disprove, then proof from the bytes, then the
 * declared name, then the likeliest guess. Programs declare UTF-8 by default, so that alone is no evidence.
 */
export async function* findEncoding(
  path: string,
  { encoding }: Pick<ExtractOptions, 'encoding'>,
  declared?: string,
): AsyncGenerator<ExtractEvent, Encoding> {
  checkEncoding(encoding)
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    const mark = byteOrderMark(buffer.subarray(0, bytesRead))
    if (encoding !== undefined) {
      const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')
      const same = mark && plain(mark.name).startsWith(plain(encoding))
      return { name: same ? mark.name : encoding, guessed: false, mark: same ? mark.mark : 0 }
    }
    // Some programs write a UTF-8 mark before text of another encoding, so the bytes may disprove it.
    if (mark && mark.name !== 'utf-8') return mark
    const markBytes = mark?.mark ?? 0
    const { utf8, sample, head } = yield* scan(file)
    const isOther = declared !== undefined && !/^utf-?8$/i.test(declared)
    if (isOther && !mark) return { name: isUtf8Despite(declared, utf8) ? 'utf-8' : declared, guessed: false, mark: 0 }
    const wide = !mark && head.includes(0) ? guessUtf16(head) : undefined
    if (wide) return { name: wide, guessed: true, mark: 0 }
    const isWhole = utf8.broken === 0 && !utf8.isCut
    if (isWhole || isNearlyUtf8(utf8) || isLatinUtf8(withoutMarks(sample)))
      return { name: 'utf-8', guessed: false, mark: markBytes }
    const name = guessEncoding(withoutMarks(sample))
    const isAlmostAscii = sample.filter((byte) => byte >= 0x80).length <= sample.length * maxDamage
    if (!name && (declared || isAlmostAscii)) return { name: 'utf-8', guessed: !declared, mark: markBytes }
    if (!name) throw unreadable('unknown_encoding', 'The bytes are not text in any encoding we know.')
    return { name, guessed: true, mark: markBytes }
  } finally {
    await file.close()
  }
}

export type DecodedFile = {
  readonly bytes: () => number
  readonly text: AsyncIterable<string>
  /** U+FFFD characters read so far, which stand for invalid bytes. */
  readonly replaced: () => number
}

/** Unpaired surrogates become U+FFFD, too. */
const countReplaced = (text: string): number => {
  const whole = text.toWellFormed()
  return whole.includes('\ufffd') ? whole.split('\ufffd').length - 1 : 0
}

/** No piece ends within a character. */
export const decodeFile = (path: string, { name, mark }: Encoding): DecodedFile => {
  let bytes = 0
  let replaced = 0
  const plain = /^utf-?8$/i.test(name)
  const decoder = plain ? new StringDecoder('utf8') : iconv.getDecoder(name, { stripBOM: false })
  async function* text(): AsyncGenerator<string> {
    let pair = ''
    const whole = (piece: string): string => {
      const joined = pair + piece
      const last = joined.charCodeAt(joined.length - 1)
      pair = last >= 0xd800 && last <= 0xdbff ? joined.slice(-1) : ''
      return pair ? joined.slice(0, -1) : joined
    }
    const file = await open(path)
    try {
      // One buffer and small pieces are reclaimed early; a stream's buffers and long strings would accumulate.
      const buffer = Buffer.allocUnsafe(pieceBytes)
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, pieceBytes, mark + bytes)
        if (bytesRead === 0) break
        bytes += bytesRead
        const piece = whole(decoder.write(buffer.subarray(0, bytesRead)))
        replaced += countReplaced(piece)
        if (piece) yield piece
      }
    } finally {
      await file.close()
    }
    const rest = pair + (decoder.end() ?? '')
    replaced += countReplaced(rest)
    if (rest) yield rest
  }
  return { bytes: () => bytes, text: text(), replaced: () => replaced }
}
