import { deflateSync } from 'node:zlib'

/** Content between `n 0 obj` and `endobj`. */
export type PdfObject = string | Buffer

export const stream = (content: Buffer | string, entries = '', filter: 'flate' | 'none' = 'flate'): Buffer => {
  const plain = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
  const bytes = filter === 'flate' ? deflateSync(plain) : plain
  const by = filter === 'flate' ? '/Filter /FlateDecode ' : ''
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${by}${entries} >>\nstream\n`, 'latin1'),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

/** Returns a PDF string in parentheses, or UTF-16 in hexadecimal if the text has letters beyond Latin-1. */
export const pdfString = (text: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of Latin-1
  if (!/^[\x00-\xff]*$/.test(text)) return `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
  return `(${text.replace(/[\\()]/g, (found) => `\\${found}`)})`
}

/** Creates a list of objects that can refer to each other before they exist. */
export const pdfObjects = () => {
  const objects: PdfObject[] = []
  return {
    objects,
    /** Adds an object and returns its number. Without `content`, `put` sets the content later. */
    add: (content: PdfObject = 'null'): number => objects.push(content),
    put: (number: number, content: PdfObject): void => {
      objects[number - 1] = content
    },
  }
}

/** Creates a file with a plain cross-reference table. Object 1 is the root unless `trailer` names another root. */
export const pdf = (objects: readonly PdfObject[], trailer = '/Root 1 0 R'): Buffer => {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  let offset = (parts[0] as Buffer).length
  const offsets: number[] = []
  for (const [index, object] of objects.entries()) {
    const content = typeof object === 'string' ? Buffer.from(object, 'latin1') : object
    const bytes = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), content, Buffer.from('\nendobj\n')])
    offsets.push(offset)
    offset += bytes.length
    parts.push(bytes)
  }
  const rows = offsets.map((index) => `${String(index).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  return Buffer.concat([
    ...parts,
    Buffer.from(
      `${table}trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${offset}\n%%EOF\n`,
      'latin1',
    ),
  ])
}
