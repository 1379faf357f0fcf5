import { crc32 } from 'node:zlib'
import { slideNamespaces } from './create-pptx.ts'
import { bombSize, deflateBomb } from './deflate-bomb.ts'
import type { Mutations, Subject } from './mutation.ts'
import { textOf, unzip, withEntry, withPart } from './zip-reader.ts'
import { xml, type ZipEntry, zip } from './zip-writer.ts'

const mega = 1_000_000

type OfficeType = 'docx' | 'xlsx' | 'pptx'

const office = {
  docx: {
    /** Main part, which the content types name. */
    main: 'word/document.xml',
    contentType: 'wordprocessingml.document.main',
    /** Part that contains the text, split at a place where text is allowed. */
    name: 'word/document.xml',
    opening: xml(
      '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>',
    ),
    closing: '</w:t></w:r></w:p></w:body></w:document>',
    /** The start of a part, the opening and closing tags of an element that can be nested, and the end of the part. */
    deep: [
      xml('<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'),
      '<w:sdt><w:sdtContent>',
      '</w:sdtContent></w:sdt>',
      '</w:body></w:document>',
    ],
    /** A wrong type for the content types to declare. */
    other: 'spreadsheetml.sheet.main',
  },
  xlsx: {
    main: 'xl/workbook.xml',
    contentType: 'spreadsheetml.sheet.main',
    name: 'xl/sharedStrings.xml',
    opening: xml('<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>'),
    closing: '</t></si></sst>',
    deep: [
      xml('<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>'),
      '<r>',
      '</r>',
      '</t></si></sst>',
    ],
    other: 'wordprocessingml.document.main',
  },
  pptx: {
    main: 'ppt/presentation.xml',
    contentType: 'presentationml.presentation.main',
    name: 'ppt/slides/slide1.xml',
    opening: xml(`<p:sld ${slideNamespaces}><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>`),
    closing: '</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>',
    deep: [
      xml(`<p:sld ${slideNamespaces}><p:cSld><p:spTree>`),
      '<p:grpSp>',
      '</p:grpSp>',
      '</p:spTree></p:cSld></p:sld>',
    ],
    other: 'wordprocessingml.document.main',
  },
} as const satisfies Readonly<Record<OfficeType, object>>

const partsOf = ({ type }: Pick<Subject, 'type'>) => office[type as OfficeType]

const bombEntry = (subject: Subject, more: Partial<ZipEntry> = {}): ZipEntry => {
  const { name, opening, closing } = partsOf(subject)
  const bomb = { opening, unit: 'a', closing, size: subject.expandedBytes }
  return { name, data: '', compressed: deflateBomb(bomb), claimedSize: bombSize(bomb), claimedCrc: 1, ...more }
}

/** Chooses a part that contains text or the locations of parts. */
const anyPart = ({ bytes, random }: Subject): string =>
  random.pick(
    unzip(bytes).filter(({ name }) =>
      /(document|sharedStrings|sheet1|workbook|presentation|slide1|styles|core)\.xml$|\.rels$|Content_Types/.test(name),
    ),
  ).name

/**
 * Creates a mutation that adds a document type before the root element, and the entity to the first text or attribute
 * of the part.
 */
const withEntity = (declaration: string, entity: string) => (subject: Subject) => {
  const name = anyPart(subject)
  const filled = declaration.replaceAll('$FILE', `file://${subject.canaryFile}`).replaceAll('$URL', subject.canaryUrl)
  return withPart(subject.bytes, name, (whole) => {
    const text = whole.replace(/^<\?xml[^>]*>\s*/, '')
    const inText = text.replace(/(<(?:w:t|a:t|t|dc:title)\b[^>/]*>)/, `$1${entity}`)
    const used = inText === text ? text.replace(/="([^"]*)"(?=[^<]*>)(?!.*xmlns)/, `="${entity}$1"`) : inText
    return `<?xml version="1.0"?>\n${filled}\n${used}`
  })
}

const laughs = Array.from({ length: 12 }, (_, level) =>
  level === 0 ? '<!ENTITY l0 "ha">' : `<!ENTITY l${level} "${`&l${level - 1};`.repeat(10)}">`,
).join('')

const oddTokens = ['<', '>', '&', '"', '/', '\u0000', '\ufffe', ']]>', '<!--', '<![CDATA[']

const namesOutside = (canaryFile: string): string[] => [
  '../../outside.txt',
  '/outside.txt',
  '..\\outside.txt',
  canaryFile,
  'word/\u0000x',
  '__proto__',
  'constructor',
]

/** Damage to an archive of XML. */
export const zipMutations: Mutations = {
  'zip-bomb': (subject) => withEntry(subject.bytes, partsOf(subject).name, () => bombEntry(subject)),
  'zip-lying-small': (subject) => {
    const { length } = textOf(unzip(subject.bytes)[0] as ZipEntry)
    return withEntry(subject.bytes, partsOf(subject).name, () => bombEntry(subject, { claimedSize: length }))
  },
  'zip-lying-large': ({ bytes, type, random }) =>
    withEntry(bytes, partsOf({ type }).main, (entry) => ({ ...entry, claimedSize: 0xffff_fff0 - random.below(9) })),
  'zip-lying-compressed': ({ bytes, random }) => {
    const { name } = random.pick(unzip(bytes))
    return withEntry(bytes, name, (entry) => ({ ...entry, claimedCompressedSize: random.below(0x7fff_ffff) }))
  },
  'zip-wrong-sum': ({ bytes }) => zip(unzip(bytes).map((entry) => ({ ...entry, claimedCrc: crc32(entry.data) ^ 1 }))),
  'zip-overlapping': (subject) => {
    const first = bombEntry({ ...subject, expandedBytes: Math.min(subject.expandedBytes, 50 * mega) })
    const copies = Array.from({ length: 200 }, (_, index) => ({
      ...first,
      name: `word/media/${index}.xml`,
      compressed: Buffer.alloc(0),
      claimedOffset: 0,
    }))
    const claimed = { claimedCompressedSize: first.compressed?.length ?? 0 }
    return zip([first, ...copies.map((copy) => ({ ...copy, ...claimed })), ...unzip(subject.bytes)])
  },
  'zip-many-entries': ({ bytes }) => {
    const own = unzip(bytes)
    const more = Array.from(
      { length: 65_535 - own.length },
      (_, index): ZipEntry => ({ name: `a/${index}`, data: '', stored: true }),
    )
    return zip([...own, ...more])
  },
  'zip-miscounted': ({ bytes, random }) => zip(unzip(bytes), { claimedEntries: random.pick([0, 1, 1_000, 65_535]) }),
  'zip-nested': (subject) => {
    let inner = zip([bombEntry(subject)])
    for (let depth = 0; depth < 6; depth += 1)
      inner = zip(
        Array.from({ length: 3 }, (_, index) => ({
          name: `${index}.zip`,
          data: depth < 3 ? inner : inner.subarray(0, 2 * mega),
        })),
      )
    return zip([...unzip(subject.bytes), { name: 'word/media/image1.zip', data: inner.subarray(0, 5 * mega) }])
  },
  'zip-names-outside': ({ bytes, canaryFile }) =>
    zip([...namesOutside(canaryFile).map((name) => ({ name, data: 'x' })), ...unzip(bytes)]),
  'zip-same-names': ({ bytes }) => zip([...unzip(bytes), ...unzip(bytes)]),
  'zip-part-missing': ({ bytes, random }) => {
    const entries = unzip(bytes)
    return zip(entries.toSpliced(random.below(entries.length), 1))
  },
  'zip-only-directory': ({ bytes }) => bytes.subarray(bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))),
  'zip-of-nothing': () => zip([]),
  'xxe-file': withEntity('<!DOCTYPE r [<!ENTITY x SYSTEM "$FILE">]>', '&x;'),
  'xxe-url': withEntity('<!DOCTYPE r [<!ENTITY x SYSTEM "$URL">]>', '&x;'),
  'xxe-parameter': withEntity('<!DOCTYPE r [<!ENTITY % p SYSTEM "$URL"> %p;]>', ''),
  'xxe-external-dtd': withEntity('<!DOCTYPE r SYSTEM "$URL">', ''),
  'xxe-public-dtd': withEntity('<!DOCTYPE r PUBLIC "-//X//Y" "$FILE">', ''),
  'billion-laughs': withEntity(`<!DOCTYPE r [${laughs}]>`, '&l11;'),
  'quadratic-entity': withEntity(`<!DOCTYPE r [<!ENTITY q "${'a'.repeat(50_000)}">]>`, '&q;'.repeat(20_000)),
  'recursive-entity': withEntity('<!DOCTYPE r [<!ENTITY a "&b;"><!ENTITY b "&a;">]>', '&a;'),
  'xml-cut': (subject) => {
    const name = anyPart(subject)
    return withPart(subject.bytes, name, (text) => text.slice(0, subject.random.below(text.length)))
  },
  'xml-altered': (subject) => {
    const name = anyPart(subject)
    return withPart(subject.bytes, name, (text) => {
      const letters = Array.from(text)
      for (let times = 1 + subject.random.below(20); times > 0; times -= 1)
        letters[subject.random.below(letters.length)] = subject.random.pick(oddTokens)
      return letters.join('')
    })
  },
  'xml-deep': (subject) => {
    const { name, deep } = partsOf(subject)
    const [before, open, close, after] = deep
    const depth = 100_000
    const data = `${before}${open.repeat(depth)}${close.repeat(depth)}${after}`
    return withEntry(subject.bytes, name, () => ({ name, data }))
  },
  'xml-in-utf-16': (subject) => {
    const { name } = partsOf(subject)
    return withEntry(subject.bytes, name, (entry) => ({
      name,
      data: Buffer.from(`\ufeff${textOf(entry)}`, 'utf16le'),
    }))
  },
  'another-main-part': (subject) => {
    const { contentType, other } = partsOf(subject)
    return withPart(subject.bytes, '[Content_Types].xml', (text) => text.replace(contentType, other))
  },
}
