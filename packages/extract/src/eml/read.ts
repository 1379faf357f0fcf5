import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { MimeNode } from '@zone-eu/mailsplit'
import type { ExtractEvent, ExtractOptions, Extractor } from '../block.ts'
import { type BlockWriter, blockWriter } from '../shared/block-writer.ts'
import { checkEncoding } from '../shared/encoding/encoding.ts'
import { unreadable } from '../unreadable.ts'
import { withoutEnvelope } from './envelope.ts'
import { mailHeaders, mailProperties } from './mail-headers.ts'
import { decoded, decodedText, isWithin, type Part, partsOf } from './mail-parts.ts'
import { mailText, maxTextBytes } from './mail-text.ts'
import { kindOf, notReadMessage } from './part-kind.ts'
import { readTextPart } from './part-text.ts'

const maxMessages = 20

type Shared = {
  readonly writer: BlockWriter
  readonly options: ExtractOptions
  bytes: number
  hasBody: boolean
  hasEncrypted: boolean
}

type Text = ReturnType<typeof mailText>

async function* readBody(
  body: AsyncIterable<Buffer>,
  shared: Shared,
  onPiece?: (piece: Buffer) => void,
): AsyncGenerator<ExtractEvent> {
  for await (const piece of body) {
    onPiece?.(piece)
    shared.bytes += piece.length
    yield* shared.writer.progress(shared.bytes)
  }
}

async function* readText(part: Part, text: Text, shared: Shared): AsyncGenerator<ExtractEvent> {
  const { writer, options } = shared
  const pieces: Buffer[] = []
  let bytes = 0
  yield* readBody(decodedText(part, 1.5 * maxTextBytes), shared, (piece) => {
    if (bytes < maxTextBytes) pieces.push(piece.subarray(0, maxTextBytes - bytes))
    bytes += piece.length
  })
  // Text before the parts is for programs without MIME; without parts, it is all the text.
  if (part.hasParts()) return
  if (bytes > maxTextBytes) yield* text.cut()
  const { part: read, notes } = readTextPart(part.node, Buffer.concat(pieces), options.encoding, writer)
  yield* notes
  yield* text.add(read)
}

async function* readPart(part: Part, text: Text, level: number, shared: Shared): AsyncGenerator<ExtractEvent> {
  const { writer } = shared
  const kind = kindOf(part.node)
  if (kind === 'text' || kind === 'multipart') {
    yield* readText(part, text, shared)
    return
  }
  if (kind === 'message' && level < maxMessages) {
    yield* readMail(decoded(part), level + 1, shared)
    text.leaveMessage()
    return
  }
  if (kind === 'message') yield* writer.note('content_not_read', `Messages within ${maxMessages} others were not read.`)
  if (kind === 'attachment')
    yield* writer.note('content_not_read', notReadMessage(part.node.filename, part.node.contentType))
  if (kind === 'encrypted') {
    shared.hasEncrypted = true
    yield* writer.note('content_not_read', 'An encrypted part of the mail was not read.')
  }
  yield* readBody(part.body, shared)
}

async function* readMail(source: Readable, level: number, shared: Shared): AsyncGenerator<ExtractEvent> {
  const text = mailText(shared.writer, level)
  let encrypted: MimeNode | undefined
  for await (const part of partsOf(Readable.from(withoutEnvelope(source), { objectMode: false }))) {
    const { node } = part
    if (node.root) {
      const headers = mailHeaders(node)
      if (level === 1) yield { event: 'properties', properties: mailProperties(headers) }
      yield* text.begin(headers)
    }
    yield* text.enter(node)
    // Its parts are a key and encrypted bytes.
    if (encrypted && isWithin(node, encrypted)) yield* readBody(part.body, shared)
    else yield* readPart(part, text, level, shared)
    if (node.contentType === 'multipart/encrypted') encrypted = node
  }
  yield* text.end()
  if (!text.isEmpty()) shared.hasBody = true
}

/** Holds one text at a time, or both forms of an alternative. */
export const extractEml: Extractor = async function* (path, options) {
  checkEncoding(options.encoding)
  const writer = blockWriter(options)
  const shared: Shared = { writer, options, bytes: 0, hasBody: false, hasEncrypted: false }
  yield* readMail(createReadStream(path), 1, shared)
  if (shared.hasEncrypted && !shared.hasBody) throw unreadable('encrypted', 'The mail is encrypted.')
  writer.end()
}
