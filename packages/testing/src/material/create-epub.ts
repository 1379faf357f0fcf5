import { seededRandom } from '../seeded-random.ts'
import { createPageBody } from './create-html.ts'
import type { CreateMaterial, KnownSentence } from './material.ts'
import { createSentenceGenerator } from './sentences.ts'
import { escapeXml, xml, type ZipEntry, zip } from './zip-writer.ts'

const folder = 'OEBPS'
export const firstChapter = `${folder}/chapter 1.xhtml`

export type Chapter = { readonly title: string; readonly body: string }

const xhtml = (title: string, body: string): string =>
  xml(
    `<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>${escapeXml(title)}</title><link rel="stylesheet" href="style.css"/><script src="none.js"/></head><body>${body}</body></html>`,
  )

/** Creates the parts of an EPUB 3 book that EPUB 2 readers can also read. */
export const epubEntries = (chapters: readonly Chapter[], name: string): ZipEntry[] => {
  const files = chapters.map((_, index) => `chapter%20${index + 1}.xhtml`)
  const items = files.map((href, index) => `<item id="c${index}" href="${href}" media-type="application/xhtml+xml"/>`)
  const points = chapters.map(
    ({ title }, index) =>
      `<navPoint id="p${index}" playOrder="${index}"><navLabel><text>${escapeXml(title)}</text></navLabel><content src="${files[index]}"/></navPoint>`,
  )
  const links = chapters.map(({ title }, index) => `<li><a href="${files[index]}#top">${escapeXml(title)}</a></li>`)
  return [
    { name: 'mimetype', data: 'application/epub+zip', stored: true },
    {
      name: 'META-INF/container.xml',
      data: xml(
        `<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="${folder}/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
      ),
    },
    {
      name: `${folder}/book.opf`,
      data: xml(
        `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>${escapeXml(name)}</dc:title><dc:creator>Cairn</dc:creator><dc:language>en</dc:language><dc:date>2024-03-01</dc:date></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>${items.join('')}</manifest><spine toc="ncx">${files.map((_, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`,
      ),
    },
    { name: `${folder}/nav.xhtml`, data: xhtml('Contents', `<nav epub:type="toc"><ol>${links.join('')}</ol></nav>`) },
    {
      name: `${folder}/toc.ncx`,
      data: xml(
        `<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd"><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><navMap>${points.join('')}</navMap></ncx>`,
      ),
    },
    ...chapters.map(({ title, body }, index) => ({
      name: `${folder}/${decodeURIComponent(files[index] ?? '')}`,
      data: xhtml(title, body),
    })),
  ]
}

/**
 * Creates a book whose last chapter has its title in no heading, only in its `<title>` and in the table of contents.
 */
export const createEpub: CreateMaterial = async (seed, { sentences: requestedCount } = {}) => {
  const random = seededRandom(seed)
  const generator = createSentenceGenerator(random)
  const name = generator.title()
  const count = requestedCount ?? 20 + random.below(40)
  const chapterCount = 2 + random.below(3)
  const known: KnownSentence[] = []
  const pathOf = (index: number) => `${folder}/chapter ${index + 1}.xhtml`
  const chapters = Array.from({ length: chapterCount }, (_, index): Chapter => {
    const { body, sentences } = createPageBody(
      random,
      generator,
      ['english', 'german'],
      Math.ceil(count / chapterCount),
    )
    known.push(...sentences.map((sentence) => ({ ...sentence, path: pathOf(index) })))
    return { title: sentences[0]?.headings[0] ?? name, body }
  })
  const title = generator.title()
  const texts = [generator.sentence(), generator.sentence()]
  chapters.push({ title, body: texts.map((text) => `<p>${escapeXml(text)}</p>`).join('') })
  known.push(...texts.map((text) => ({ text, headings: [title], path: pathOf(chapterCount) })))
  return { bytes: zip(epubEntries(chapters, name)), truth: { sentences: known, title: name } }
}
