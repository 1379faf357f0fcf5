import { type Random, seededRandom } from '../seeded-random.ts'
import type { CreateMaterial, KnownSentence } from './material.ts'
import { pdf, pdfObjects, pdfString, stream } from './pdf-writer.ts'
import { scanPages } from './scan-page.ts'
import { createSentenceGenerator, type SentenceGenerator } from './sentences.ts'

const width = 595
const height = 842
const size = 11
const leading = 15
const bottom = 70

type Outline = { readonly title: string; readonly level: number; readonly page: number }
type Page = { readonly content: string; readonly knownSentences: readonly KnownSentence[]; readonly scanned: boolean }

const line = (text: string, x: number, y: number, points = size) =>
  `BT /F1 ${points} Tf ${x} ${y} Td ${pdfString(text)} Tj ET\n`

/** Wraps text by characters: letters of the typeface are on average half as wide as high, and rarely wider. */
const wrap = (text: string, columns: number): string[] => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length + 1 > columns) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** Creates the drawing operators of a page: headings in larger letters, then paragraphs in one or two columns. */
const createPage = (
  number: number,
  scanned: boolean,
  random: Random,
  generator: SentenceGenerator,
  path: string[],
  outline: Outline[],
  count: number,
): Page => {
  let content = ''
  const knownSentences: KnownSentence[] = []
  let top = 770
  for (let times = random.below(3); times > 0 || path.length === 0; times -= 1) {
    const level = Math.min(1 + random.below(3), path.length + 1)
    const title = generator.title()
    path.length = level - 1
    path.push(title)
    outline.push({ title, level, page: number })
    content += line(title, 60, top, 20 - 3 * level)
    top -= 32
  }
  const columns = !scanned && random.chance(0.5) ? [60, 310] : [60]
  const letters = columns.length === 2 ? 40 : 78
  for (const [index, x] of columns.entries()) {
    let y = top
    const last = Math.ceil((count * (index + 1)) / columns.length)
    while (knownSentences.length < last) {
      const texts = Array.from({ length: Math.min(2, last - knownSentences.length) }, () =>
        generator.sentence(scanned ? 'english' : random.pick(['english', 'english', 'french', 'german'])),
      )
      // Strings of the file are Latin-1, which lacks the French œ.
      const lines = wrap(texts.join(' ').replaceAll('œ', 'oe'), letters)
      if (y - lines.length * leading < bottom) break
      for (const text of lines) {
        content += line(text, x, y)
        y -= leading
      }
      y -= leading
      for (const text of texts)
        knownSentences.push({
          text: text.replaceAll('œ', 'oe'),
          page: number,
          headings: [...path],
          ...(scanned ? { scanned: true as const } : {}),
        })
    }
  }
  return { content, knownSentences, scanned }
}

const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'
const mediaBox = `/MediaBox [0 0 ${width} ${height}]`

const textOnly = (contents: readonly string[]): Buffer => {
  const { objects, add, put } = pdfObjects()
  add('<< /Type /Catalog /Pages 2 0 R >>')
  const pages = add()
  const letters = add(font)
  const kids = contents.map((content) => {
    const body = add(stream(content))
    return add(
      `<< /Type /Page /Parent ${pages} 0 R ${mediaBox} /Contents ${body} 0 R /Resources << /Font << /F1 ${letters} 0 R >> >> >>`,
    )
  })
  put(pages, `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`)
  return pdf(objects)
}

type Node = { readonly entry: Outline; readonly number: number; readonly children: Node[] }

const writeOutline = (
  entries: readonly Outline[],
  pageNumbers: readonly number[],
  { add, put }: ReturnType<typeof pdfObjects>,
): number => {
  const root = add()
  const top: Node[] = []
  const open: Node[] = []
  for (const entry of entries) {
    const node: Node = { entry, number: add(), children: [] }
    open.length = Math.min(open.length, entry.level - 1)
    const siblings = open.at(-1)?.children ?? top
    siblings.push(node)
    open.push(node)
  }
  const link = (name: string, node: Node | undefined) => (node ? `/${name} ${node.number} 0 R ` : '')
  const write = (nodes: readonly Node[], parent: number): void => {
    for (const [index, { entry, number, children }] of nodes.entries()) {
      const near =
        link('Prev', nodes[index - 1]) +
        link('Next', nodes[index + 1]) +
        link('First', children[0]) +
        link('Last', children.at(-1))
      const count = children.length > 0 ? `/Count ${children.length} ` : ''
      const to = `/Dest [${pageNumbers[entry.page - 1]} 0 R /XYZ 0 ${height} 0]`
      put(number, `<< /Title ${pdfString(entry.title)} /Parent ${parent} 0 R ${near}${count}${to} >>`)
      write(children, number)
    }
  }
  write(top, root)
  put(root, `<< /Type /Outlines ${link('First', top[0])}${link('Last', top.at(-1))}/Count ${top.length} >>`)
  return root
}

/**
 * Creates several pages with a nested outline, in one or two columns; on request, with pages that are only pictures of
 * text. The text layer is Latin, because other scripts would need an embedded typeface, which this repository lacks.
 */
export const createPdf: CreateMaterial = async (seed, { sentences: requestedCount, scans = 'none' } = {}) => {
  const random = seededRandom(seed)
  const generator = createSentenceGenerator(random)
  const count = requestedCount ?? 20 + random.below(40)
  const path: string[] = []
  const outline: Outline[] = []
  const pages: Page[] = []
  const perPage = 8 + random.below(10)
  for (let written = 0; written < count || (scans === 'some' && pages.length < 2); ) {
    const number = pages.length + 1
    const scanned = scans === 'all' || (scans === 'some' && number % 2 === 0)
    const page = createPage(
      number,
      scanned,
      random,
      generator,
      path,
      outline,
      Math.max(2, Math.min(perPage, count - written)),
    )
    pages.push(page)
    written += page.knownSentences.length
  }
  const scanned = pages.filter((page) => page.scanned)
  const pictures = scanned.length === 0 ? [] : await scanPages(textOnly(scanned.map(({ content }) => content)), random)
  const writer = pdfObjects()
  const { objects, add, put } = writer
  const catalogue = add()
  const tree = add()
  const letters = add(font)
  const kids = pages.map((page) => {
    const picture = page.scanned ? pictures[scanned.indexOf(page)] : undefined
    const image = picture
      ? add(
          stream(
            picture.jpeg,
            `/Type /XObject /Subtype /Image /Width ${picture.width} /Height ${picture.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`,
            'none',
          ),
        )
      : undefined
    const body = add(stream(image === undefined ? page.content : `q ${width} 0 0 ${height} 0 0 cm /P Do Q`))
    const resources = image === undefined ? `/Font << /F1 ${letters} 0 R >>` : `/XObject << /P ${image} 0 R >>`
    return add(`<< /Type /Page /Parent ${tree} 0 R ${mediaBox} /Contents ${body} 0 R /Resources << ${resources} >> >>`)
  })
  put(tree, `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`)
  const title = generator.title()
  const information = add(`<< /Title ${pdfString(title)} /Author (Cairn) >>`)
  put(catalogue, `<< /Type /Catalog /Pages ${tree} 0 R /Outlines ${writeOutline(outline, kids, writer)} 0 R >>`)
  return {
    bytes: pdf(objects, `/Root ${catalogue} 0 R /Info ${information} 0 R`),
    truth: {
      sentences: pages.flatMap(({ knownSentences }) => knownSentences),
      title,
      pages: pages.length,
      scannedPages: pages.flatMap((page, index) => (page.scanned ? [index + 1] : [])),
    },
  }
}
