import { pipeline, Readable } from 'node:stream'
import { type MimeNode, Splitter, type SplitterChunk } from '@zone-eu/mailsplit'
import { unreadable } from '../unreadable.ts'
import { base64Length } from './base64-text.ts'

const maxHeadBytes = 1024 * 1024
const maxParts = 10_000
const maxDepth = 100

export type Part = {
  readonly node: MimeNode
  readonly body: AsyncGenerator<Buffer>
  /** Known once the body is read. */
  readonly hasParts: () => boolean
}

export const isWithin = (node: MimeNode, ancestor: MimeNode): boolean => {
  for (let parent = node.parentNode; parent; parent = parent.parentNode) if (parent === ancestor) return true
  return false
}

const depthOf = (node: MimeNode): number => {
  let depth = 0
  for (let parent = node.parentNode; parent; parent = parent.parentNode) depth++
  return depth
}

const tooLarge = () =>
  unreadable('value_too_large', `The mail has headers of more than 1 MiB, or more than ${maxParts} parts.`)

/** The consumer must read a body before it requests the next part. */
export async function* partsOf(source: Readable): AsyncGenerator<Part> {
  const splitter = new Splitter({ ignoreEmbedded: true, maxHeadSize: maxHeadBytes, maxChildNodes: maxParts })
  pipeline(source, splitter, () => undefined)
  const chunks: AsyncIterator<SplitterChunk> = splitter[Symbol.asyncIterator]()
  const read = async () => {
    try {
      return await chunks.next()
    } catch (error) {
      throw error instanceof Error && 'code' in error && error.code === 'EMAXLEN' ? tooLarge() : error
    }
  }
  let next = await read()
  async function* bodyOf(node: MimeNode): AsyncGenerator<Buffer> {
    const type = node.multipart ? 'data' : 'body'
    for (; !next.done && next.value.type !== 'node'; next = await read())
      if (next.value.type === type && next.value.node === node && next.value.value) yield next.value.value
  }
  while (!next.done) {
    const { value } = next
    next = await read()
    if (value.type !== 'node') continue
    if (depthOf(value) > maxDepth)
      throw unreadable('value_too_large', `The mail has parts that are nested more than ${maxDepth} levels deep.`)
    const body = bodyOf(value)
    const hasParts = () => !next.done && next.value.type === 'node' && isWithin(next.value, value)
    yield { node: value, body, hasParts }
    for await (const _ of body);
  }
}

export const decoded = ({
  node,
  body,
}: Pick<Part, 'node'> & { readonly body: Iterable<Buffer> | AsyncIterable<Buffer> }): Readable =>
  pipeline(Readable.from(body, { objectMode: false }), node.getDecoder(), () => undefined)

export async function* decodedText(part: Part, maxBytes: number): AsyncGenerator<Buffer> {
  if (part.node.encoding !== 'base64') return yield* decoded(part)
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of part.body) {
    if (bytes < maxBytes) pieces.push(piece)
    bytes += piece.length
  }
  const all = Buffer.concat(pieces)
  const end = base64Length(all.toString('latin1'))
  yield* decoded({ node: part.node, body: [all.subarray(0, end)] })
  if (end < all.length) yield Buffer.concat([Buffer.from('\n\n'), all.subarray(end)])
}
