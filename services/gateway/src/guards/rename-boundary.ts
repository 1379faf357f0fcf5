import { randomBytes } from 'node:crypto'

const [tab, lineFeed, carriageReturn, space, hyphen] = [0x09, 0x0a, 0x0d, 0x20, 0x2d]
/** A sender may put this white space between a boundary and its line end (RFC 2046, 5.1.1); more is content. */
const paddingBytes = 128
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const quoted = String.raw`"(?:[^"\\\r\n]|\\.)*"`
const formType = new RegExp(`^multipart/form-data((?:[ \\t]*;[ \\t]*${token}=(?:${token}|${quoted}))*)[ \\t]*$`, 'i')
const boundaryParameter = new RegExp(`;[ \\t]*boundary=(?:(${token})|(${quoted}))`, 'i')

/** Returns undefined for another type than a form's, or one without a boundary. */
const boundaryOf = (contentType: string): string | undefined => {
  const parameters = formType.exec(contentType.trim())?.[1] ?? ''
  const [, plain, inQuotes] = boundaryParameter.exec(parameters) ?? []
  return plain ?? (inQuotes?.slice(1, -1).replace(/\\(.)/g, '$1') || undefined)
}

type Delimiter = { readonly kind: 'part' | 'end'; readonly end: number }

/** Classifies the bytes after the boundary that ends at `from`; undecided (`more`) until more bytes arrive. */
const delimiterAt = (bytes: Buffer, from: number): Delimiter | 'content' | 'more' => {
  if (bytes[from] === hyphen && bytes[from + 1] === hyphen) return { kind: 'end', end: from + 2 }
  if (bytes[from] === hyphen && from + 1 === bytes.length) return 'more'
  let index = from
  while (bytes[index] === space || bytes[index] === tab) index += 1
  if (index - from > paddingBytes) return 'content'
  if (index >= bytes.length || (bytes[index] === carriageReturn && index + 1 === bytes.length)) return 'more'
  return bytes[index] === carriageReturn && bytes[index + 1] === lineFeed ? { kind: 'part', end: index + 2 } : 'content'
}

const nothing = Buffer.alloc(0)

export type RenamedForm = {
  /** With the new boundary. */
  readonly contentType: string
  /** Returns what the bytes so far determine, under the new boundary. */
  write(bytes: Buffer): Buffer
  /** Returns the remaining bytes. */
  end(): Buffer
}

/**
 * Renames the boundary to one that can't occur in the content: the parser takes every line that begins with it for a
 * delimiter, and would split `--XXY` at the boundary `XX`. Undefined for another type.
 */
export const renameBoundary = (contentType: string): RenamedForm | undefined => {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) return undefined
  const renamed = randomBytes(24).toString('hex')
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The form may begin with a boundary, without a line before it.
  let rest: Buffer = Buffer.from('\r\n')
  let isOver = false

  const write = (chunk: Buffer): Buffer => {
    if (isOver) return nothing
    const bytes = Buffer.concat([rest, chunk])
    const out: Buffer[] = []
    let from = 0
    let searchFrom = 0
    for (;;) {
      const index = bytes.indexOf(delimiter, searchFrom)
      const found = index < 0 ? 'more' : delimiterAt(bytes, index + delimiter.length)
      if (found === 'more') {
        const keptFrom = index < 0 ? Math.max(searchFrom, bytes.length - delimiter.length + 1) : index
        rest = bytes.subarray(keptFrom)
        return Buffer.concat([...out, bytes.subarray(from, keptFrom)])
      }
      searchFrom = index + delimiter.length
      if (found === 'content') continue
      out.push(bytes.subarray(from, index), Buffer.from(`\r\n--${renamed}${found.kind === 'end' ? '--' : ''}\r\n`))
      isOver = found.kind === 'end'
      if (isOver) return Buffer.concat(out)
      from = found.end
      searchFrom = from
    }
  }
  return { contentType: `multipart/form-data; boundary=${renamed}`, write, end: () => (isOver ? nothing : rest) }
}
