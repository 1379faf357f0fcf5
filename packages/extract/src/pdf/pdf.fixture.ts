import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

type Content = string | { readonly dictionary: string; readonly bytes: Uint8Array }

export type PdfImage = {
  readonly width: number
  readonly height: number
} & ({ /** One byte a pixel. */ readonly gray: Uint8Array } | { /** Three bytes a pixel. */ readonly rgb: Uint8Array })

export type PdfPage = {
  /** Strings are lines at the left margin, 14 points apart from the top; other lines state their position. */
  readonly lines?: readonly (
    | string
    | {
        readonly text: string
        readonly x: number
        readonly y: number
        readonly size?: number
        readonly bold?: boolean
      }
  )[]
  /** Image that fills the page. */
  readonly image?: PdfImage
  /** Page size in points. Default A4. */
  readonly size?: readonly [number, number]
  /** PDF operators drawn before the lines. */
  readonly operators?: string
  /** Dictionaries of annotations and form fields, without their brackets; form fields are also listed in the form. */
  readonly annotations?: readonly string[]
}

export type PdfSample = {
  readonly pages: readonly PdfPage[]
  readonly title?: string
  readonly author?: string
  readonly outline?: readonly { readonly title: string; readonly page: number; readonly level?: number }[]
  /** Entries of the catalog, written unchanged. */
  readonly catalogue?: string
  /** Whether the glyphs of the font have no mapping to Unicode. */
  readonly unmapped?: boolean
}

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const literal = (text: string): string => `(${text.replace(/[\\()]/g, '\\$&')})`
const a4: readonly [number, number] = [595, 842]

/** Writes a file of numbered objects with its cross-reference table; the first object is the catalog. */
export const writeObjects = (objects: readonly Content[], trailer = ''): Buffer => {
  const parts: Uint8Array[] = [latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')]
  let length = parts[0]?.length ?? 0
  const add = (bytes: Uint8Array) => {
    parts.push(bytes)
    length += bytes.length
  }
  const offsets = objects.map((content, index) => {
    const position = length
    add(latin1(`${index + 1} 0 obj\n`))
    if (typeof content === 'string') add(latin1(content))
    else {
      add(latin1(`<< ${content.dictionary} /Length ${content.bytes.length} >>\nstream\n`))
      add(content.bytes)
      add(latin1('\nendstream'))
    }
    add(latin1('\nendobj\n'))
    return position
  })
  const start = length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  add(latin1(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`))
  add(latin1(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`))
  return Buffer.concat(parts)
}

const operatorsOf = (page: PdfPage): string => {
  const [width, height] = page.size ?? a4
  const image = page.image ? [`q ${width} 0 0 ${height} 0 0 cm /Im Do Q`] : []
  const lines = (page.lines ?? []).map((line, index) => {
    const placed = typeof line === 'string' ? { text: line, x: 72, y: height - 72 - index * 14 } : line
    const font = 'bold' in placed && placed.bold ? 'F2' : 'F1'
    return `BT /${font} ${'size' in placed ? (placed.size ?? 11) : 11} Tf 1 0 0 1 ${placed.x} ${placed.y} Tm ${literal(placed.text)} Tj ET`
  })
  return [page.operators ?? '', ...image, ...lines].join('\n')
}

const privateCharacters = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /P def
1 begincodespacerange <00> <FF> endcodespacerange
1 beginbfrange <21> <7E> <E021> endbfrange
endcmap end end`

/** Writes a PDF with text in Helvetica and images, like other programs do. */
export const writePdf = (sample: PdfSample): Buffer => {
  const objects: Content[] = ['', '', '']
  const add = (content: Content): number => objects.push(content)
  const characters = sample.unmapped
    ? `/ToUnicode ${add({ dictionary: '', bytes: latin1(privateCharacters) })} 0 R`
    : ''
  const bold = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>')
  objects[2] = `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding ${characters} >>`
  const fields: number[] = []
  const pages = sample.pages.map((page) => {
    const [width, height] = page.size ?? a4
    const contents = add({ dictionary: '', bytes: latin1(operatorsOf(page)) })
    const image = page.image
    const picture =
      image &&
      add({
        dictionary: `/Type /XObject /Subtype /Image /Width ${image.width} /Height ${image.height} /ColorSpace ${'rgb' in image ? '/DeviceRGB' : '/DeviceGray'} /BitsPerComponent 8 /Filter /FlateDecode`,
        bytes: deflateSync('rgb' in image ? image.rgb : image.gray),
      })
    const resources = `<< /Font << /F1 3 0 R /F2 ${bold} 0 R >> ${picture ? `/XObject << /Im ${picture} 0 R >>` : ''} >>`
    const annotations = (page.annotations ?? []).map((text) => add(`<< /Type /Annot ${text} >>`))
    fields.push(...annotations.filter((_, index) => page.annotations?.[index]?.includes('/Widget')))
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${contents} 0 R /Resources ${resources} /Annots [${annotations.map((one) => `${one} 0 R`).join(' ')}] >>`,
    )
  })
  const form = fields.length === 0 ? '' : `/AcroForm << /Fields [${fields.map((one) => `${one} 0 R`).join(' ')}] >>`
  let catalogue = `/Type /Catalog /Pages 2 0 R ${form} ${sample.catalogue ?? ''}`
  const { outline } = sample
  if (outline) {
    const root = objects.length + 1
    catalogue += ` /Outlines ${root} 0 R`
    const numbers = outline.map((_, index) => root + 1 + index)
    const level = (index: number) => outline[index]?.level ?? 1
    const next = (index: number, wanted: number) => {
      for (let position = index + 1; position < outline.length && level(position) >= wanted; position += 1)
        if (level(position) === wanted) return position
      return -1
    }
    const parent = (index: number) => {
      for (let position = index - 1; position >= 0; position -= 1) if (level(position) < level(index)) return position
      return -1
    }
    add(`<< /Type /Outlines /First ${numbers[0]} 0 R /Last ${numbers.at(-1)} 0 R >>`)
    for (const [index, entry] of outline.entries()) {
      const after = next(index, level(index))
      const above = parent(index)
      const child =
        level(index + 1) > level(index) && index + 1 < outline.length ? `/First ${numbers[index + 1]} 0 R` : ''
      add(
        `<< /Title ${literal(entry.title)} /Dest [${pages[entry.page - 1]} 0 R /Fit] /Parent ${above < 0 ? root : numbers[above]} 0 R ${after < 0 ? '' : `/Next ${numbers[after]} 0 R`} ${child} >>`,
      )
    }
  }
  const about = [
    sample.title && `/Title ${literal(sample.title)}`,
    sample.author && `/Author ${literal(sample.author)}`,
  ].filter(Boolean)
  const info = about.length > 0 ? `/Info ${add(`<< ${about.join(' ')} >>`)} 0 R` : ''
  objects[0] = `<< ${catalogue} >>`
  objects[1] = `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] >>`
  return writeObjects(objects, info)
}

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const md5 = (...parts: readonly Uint8Array[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()

/** Encrypts with RC4. Implemented here, because the system's crypto library may have RC4 disabled. */
const rc4 = (key: Uint8Array, data: Uint8Array): Buffer => {
  const state = Array.from({ length: 256 }, (_, index) => index)
  const at = (index: number) => state[index] ?? 0
  const swap = (a: number, b: number) => {
    const kept = at(a)
    state[a] = at(b)
    state[b] = kept
  }
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  let [i, j] = [0, 0]
  return Buffer.from(
    Array.from(data, (byte) => {
      i = (i + 1) & 255
      j = (j + at(i)) & 255
      swap(i, j)
      return byte ^ at((at(i) + at(j)) & 255)
    }),
  )
}

/** Writes a page of one line, encrypted with a user password by 40-bit RC4, as in the first version of the standard. */
export const writeEncryptedPdf = (line: string, password: string): Buffer => {
  const padded = Buffer.concat([latin1(password), padding]).subarray(0, 32)
  const owner = rc4(md5(padded).subarray(0, 5), padded)
  const id = Buffer.alloc(16, 7)
  const key = md5(padded, owner, Buffer.from([0xfc, 0xff, 0xff, 0xff]), id).subarray(0, 5)
  const ofObject = (number: number) => md5(key, Buffer.from([number, 0, 0, 0, 0])).subarray(0, 10)
  const contents = rc4(ofObject(4), latin1(`BT /F1 11 Tf 72 700 Td ${literal(line)} Tj ET`))
  return writeObjects(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      { dictionary: '', bytes: contents },
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ],
    `/ID [<${id.toString('hex')}> <${id.toString('hex')}>] /Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${owner.toString('hex')}> /U <${rc4(key, padding).toString('hex')}> >>`,
  )
}
