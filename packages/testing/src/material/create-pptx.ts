import { seededRandom } from '../seeded-random.ts'
import type { CreateMaterial, KnownSentence } from './material.ts'
import { createSentenceGenerator } from './sentences.ts'
import { escapeXml, xml, type ZipEntry, zip } from './zip-writer.ts'

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
export const slideNamespaces = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${relations}"`
const content = 'application/vnd.openxmlformats-officedocument.presentationml'

export type Slide = {
  /** Shapes, as XML. */
  readonly body: string
  /** Paragraphs of the speaker's notes, as XML. */
  readonly notes?: string
  /** Relationships of the slide besides its layout, as XML. */
  readonly relations?: string
}

export const relation = (id: string, type: string, target: string, mode = ''): string =>
  `<Relationship Id="${id}" Type="${relations}/${type}" Target="${escapeXml(target)}" ${mode}/>`
export const relationsPart = (...all: string[]): string =>
  xml(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`,
  )

/** Creates a part with these shapes: a slide (`sld`), a layout, a master or notes. */
export const shapesPart = (root: string, body: string, attributes = ''): string =>
  xml(
    `<p:${root} ${slideNamespaces} ${attributes}><p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>${body}</p:spTree></p:cSld></p:${root}>`,
  )

export const run = (text: string): string => `<a:r><a:t>${escapeXml(text)}</a:t></a:r>`
export const slideParagraph = (inner: string, properties = ''): string => `<a:p>${properties}${inner}</a:p>`
const transform = (x: number, y: number, prefix = 'a'): string =>
  `<${prefix}:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="4000000" cy="900000"/></${prefix}:xfrm>`
/** Creates a shape with text. `at` is the upper left corner; a placeholder may have no position. */
export const textShape = (paragraphs: string, placeholder = '', at?: readonly [x: number, y: number]): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="Shape"/><p:cNvSpPr/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr>${at ? transform(...at) : ''}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>${paragraphs}</p:txBody></p:sp>`

const core = (title: string) =>
  xml(
    `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title><dc:creator>Cairn</dc:creator></cp:coreProperties>`,
  )

const layout = shapesPart(
  'sldLayout',
  textShape(slideParagraph(run('Click to add a title')), '<p:ph type="title"/>', [500_000, 300_000]) +
    textShape(slideParagraph(run('Click to add text')), '<p:ph idx="1"/>', [500_000, 1_500_000]),
)
const master = xml(
  `<p:sldMaster ${slideNamespaces}><p:cSld><p:spTree/></p:cSld><p:txStyles><p:bodyStyle>${[1, 2].map((level) => `<a:lvl${level}pPr><a:buChar char="•"/></a:lvl${level}pPr>`).join('')}</p:bodyStyle></p:txStyles></p:sldMaster>`,
)

export const pptxEntries = (slides: readonly Slide[], title: string): ZipEntry[] => {
  const overrides = [
    ['/ppt/presentation.xml', 'presentation.main+xml'],
    ...slides.map((_, index) => [`/ppt/slides/slide${index + 1}.xml`, 'slide+xml']),
  ].map(([name, type]) => `<Override PartName="${name}" ContentType="${content}.${type}"/>`)
  return [
    {
      name: '[Content_Types].xml',
      data: xml(
        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`,
      ),
    },
    {
      name: '_rels/.rels',
      data: relationsPart(
        relation('rId1', 'officeDocument', 'ppt/presentation.xml'),
        `<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>`,
      ),
    },
    {
      name: 'ppt/presentation.xml',
      data: xml(
        `<p:presentation ${slideNamespaces}><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
      ),
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      data: relationsPart(
        ...slides.map((_, index) => relation(`rId${index + 1}`, 'slide', `slides/slide${index + 1}.xml`)),
      ),
    },
    ...slides.flatMap(({ body, notes, relations: more = '' }, index): ZipEntry[] => {
      const number = index + 1
      const notesRelation =
        notes === undefined ? '' : relation('rN', 'notesSlide', `../notesSlides/notesSlide${number}.xml`)
      return [
        { name: `ppt/slides/slide${number}.xml`, data: shapesPart('sld', body) },
        {
          name: `ppt/slides/_rels/slide${number}.xml.rels`,
          data: relationsPart(relation('rL', 'slideLayout', '../slideLayouts/slideLayout1.xml'), notesRelation, more),
        },
        ...(notes === undefined
          ? []
          : [
              {
                name: `ppt/notesSlides/notesSlide${number}.xml`,
                data: shapesPart('notes', textShape(notes, '<p:ph type="body" idx="1"/>')),
              },
            ]),
      ]
    }),
    { name: 'ppt/slideLayouts/slideLayout1.xml', data: layout },
    {
      name: 'ppt/slideLayouts/_rels/slideLayout1.xml.rels',
      data: relationsPart(relation('rM', 'slideMaster', '../slideMasters/slideMaster1.xml')),
    },
    { name: 'ppt/slideMasters/slideMaster1.xml', data: master },
    { name: 'docProps/core.xml', data: core(title) },
  ]
}

export const slideTable = (rows: readonly (readonly string[])[], at: readonly [x: number, y: number]): string =>
  `<p:graphicFrame><p:nvGraphicFramePr/>${transform(...at, 'p')}<a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/>${rows.map((cells) => `<a:tr>${cells.join('')}</a:tr>`).join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
export const slideCell = (text: string, attributes = ''): string =>
  `<a:tc ${attributes}><a:txBody><a:bodyPr/>${slideParagraph(run(text))}</a:txBody></a:tc>`

/**
 * Creates slides with bullets, tables with merged cells, text boxes that are not in reading order, notes and other
 * scripts.
 */
export const createPptx: CreateMaterial = async (seed, { sentences: requestedCount } = {}) => {
  const random = seededRandom(seed)
  const { sentence, title } = createSentenceGenerator(random)
  const knownSentences: KnownSentence[] = []
  const slides: Slide[] = []
  const count = requestedCount ?? 20 + random.below(40)
  while (knownSentences.length < count) {
    const page = slides.length + 1
    const heading = title()
    const say = (more: Partial<KnownSentence> = {}, language?: Parameters<typeof sentence>[0]) => {
      const text = sentence(language)
      knownSentences.push({ text, page, headings: [heading], ...more })
      return text
    }
    /** Shapes of the slide, from top to bottom. */
    const shapes: string[] = []
    shapes.push(
      textShape(
        [0, 1, 1, 0].map((level) => slideParagraph(run(say()), `<a:pPr lvl="${level}"/>`)).join(''),
        '<p:ph idx="1"/>',
      ),
    )
    const corner = (): readonly [number, number] => [500_000, 1_500_000 + shapes.length * 1_000_000]
    if (random.chance(0.4)) {
      const inTable = () => slideCell(say({ inTable: true }))
      const wide = random.chance(0.5)
        ? [slideCell(say({ inTable: true }), 'gridSpan="2"'), slideCell('', 'hMerge="1"')]
        : [inTable(), inTable()]
      shapes.push(slideTable([[slideCell('Name'), slideCell('Remark')], [inTable(), inTable()], wide], corner()))
    }
    if (random.chance(0.5)) shapes.push(textShape(slideParagraph(run(say())), '', corner()))
    if (random.chance(0.4))
      shapes.push(
        textShape(slideParagraph(run(say({}, random.pick(['arabic', 'hebrew', 'japanese', 'chinese'])))), '', corner()),
      )
    const notes = random.chance(0.5) ? slideParagraph(run(say())) + slideParagraph(run(say())) : undefined
    const titleShape = textShape(slideParagraph(run(heading)), '<p:ph type="title"/>')
    slides.push({ body: [...shapes.toReversed(), titleShape].join(''), ...(notes !== undefined && { notes }) })
  }
  const name = title()
  return {
    bytes: zip(pptxEntries(slides, name)),
    truth: { sentences: knownSentences, title: name, pages: slides.length },
  }
}
