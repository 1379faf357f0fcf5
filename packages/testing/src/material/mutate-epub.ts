import { type Chapter, epubEntries, firstChapter } from './create-epub.ts'
import { bombSize, deflateBomb } from './deflate-bomb.ts'
import { zipMutations } from './mutate-zip.ts'
import type { Mutations, Subject } from './mutation.ts'
import { unzip, withEntry, withPart } from './zip-reader.ts'
import { escapeXml, type ZipEntry, zip } from './zip-writer.ts'

/** Kinds of damage that apply to any archive. The other kinds depend on the parts of office files. */
const archiveKinds = [
  'zip-lying-compressed',
  'zip-wrong-sum',
  'zip-many-entries',
  'zip-miscounted',
  'zip-names-outside',
  'zip-same-names',
  'zip-part-missing',
  'zip-only-directory',
  'zip-of-nothing',
]

const packagePart = 'OEBPS/book.opf'

const added = ({ bytes }: Pick<Subject, 'bytes'>, name: string, data: string): Buffer =>
  zip([...unzip(bytes), { name, data }])

const bomb = (subject: Subject, more: Partial<ZipEntry> = {}): Buffer => {
  const content = { opening: '<html><body><p>', unit: 'a', closing: '</p></body></html>', size: subject.expandedBytes }
  const entry = { compressed: deflateBomb(content), claimedSize: bombSize(content), claimedCrc: 1, ...more }
  return withEntry(subject.bytes, firstChapter, (part) => ({ ...part, ...entry }))
}

const chapters = (...bodies: string[]): Chapter[] =>
  bodies.map((body, index) => ({ title: `Chapter ${index + 1}`, body }))

const encryption = (algorithm: string, ...parts: string[]): string =>
  `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:e="http://www.w3.org/2001/04/xmlenc#">${parts
    .map(
      (part) =>
        `<e:EncryptedData><e:EncryptionMethod Algorithm="${algorithm}"/><e:CipherData><e:CipherReference URI="${escapeXml(encodeURI(part))}"/></e:CipherData></e:EncryptedData>`,
    )
    .join('')}</encryption>`

export const epubMutations: Mutations = {
  ...Object.fromEntries(Object.entries(zipMutations).filter(([kind]) => archiveKinds.includes(kind))),
  'zip-bomb': (subject) => bomb(subject),
  'zip-lying-small': (subject) => bomb(subject, { claimedSize: 1_000 }),
  'xxe-file': (subject) =>
    withPart(subject.bytes, packagePart, (text) =>
      text
        .replace('?>', `?><!DOCTYPE r [<!ENTITY x SYSTEM "file://${subject.canaryFile}">]>`)
        .replace('<dc:title>', '<dc:title>&x;'),
    ),
  'xxe-url': (subject) =>
    withPart(subject.bytes, packagePart, (text) =>
      text
        .replace('?>', `?><!DOCTYPE r [<!ENTITY % p SYSTEM "${subject.canaryUrl}"> %p;]>`)
        .replace('<dc:title>', '<dc:title>&p;'),
    ),
  'billion-laughs': (subject) =>
    withPart(subject.bytes, packagePart, (text) =>
      text
        .replace('?>', `?><!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(100)}">]>`)
        .replace('<dc:title>', '<dc:title>&b;'),
    ),
  'doctype-without-end': (subject) =>
    withPart(subject.bytes, packagePart, (text) => text.replace('?>', '?><!DOCTYPE r [')),
  'chapter-with-entities': (subject) =>
    withPart(subject.bytes, firstChapter, (text) =>
      text
        .replace('<!DOCTYPE html>', `<!DOCTYPE html [<!ENTITY x SYSTEM "file://${subject.canaryFile}">]>`)
        .replace('<body>', '<body><p>&x;</p>'),
    ),
  'package-cut': (subject) =>
    withPart(subject.bytes, packagePart, (text) => text.slice(0, subject.random.below(text.length))),
  'package-deep': (subject) =>
    withPart(subject.bytes, packagePart, (text) => text.replace('<metadata', `${'<meta>'.repeat(100_000)}<metadata`)),
  'contents-deep': (subject) =>
    withPart(subject.bytes, 'OEBPS/toc.ncx', (text) =>
      text.replace('<navMap>', `<navMap>${'<navPoint>'.repeat(100_000)}`),
    ),
  'contents-cut': (subject) =>
    withPart(subject.bytes, 'OEBPS/nav.xhtml', (text) => text.slice(0, subject.random.below(text.length))),
  'chapter-missing': ({ bytes }) => zip(unzip(bytes).filter(({ name }) => name !== firstChapter)),
  'chapters-missing': ({ bytes }) => zip(unzip(bytes).filter(({ name }) => !name.includes('chapter'))),
  'container-missing': ({ bytes }) => zip(unzip(bytes).filter(({ name }) => !name.includes('container'))),
  'package-elsewhere': (subject) =>
    withPart(subject.bytes, 'META-INF/container.xml', (text) =>
      text.replace(
        packagePart,
        escapeXml(
          subject.random.pick([`file://${subject.canaryFile}`, subject.canaryUrl, '../../etc/passwd', '%', '']),
        ),
      ),
    ),
  'chapters-elsewhere': (subject) =>
    withPart(subject.bytes, packagePart, (text) =>
      text.replaceAll(
        /href="chapter[^"]*"/g,
        () =>
          `href="${escapeXml(subject.random.pick([`file://${subject.canaryFile}`, subject.canaryUrl, '../../../etc/hostname', '//x/y']))}"`,
      ),
    ),
  'chapter-many-times': (subject) =>
    withPart(subject.bytes, packagePart, (text) =>
      text.replace('</spine>', `${'<itemref idref="c0"/>'.repeat(100_000)}</spine>`),
    ),
  'names-of-prototypes': (subject) =>
    withPart(subject.bytes, packagePart, (text) =>
      text
        .replaceAll('"c0"', '"__proto__"')
        .replace('</metadata>', '<dc:constructor>x</dc:constructor><dc:toString>x</dc:toString></metadata>'),
    ),
  'chapter-deep': () => zip(epubEntries(chapters(`${'<div>'.repeat(100_000)}deep`), 'deep')),
  'pictures-elsewhere': ({ canaryFile, canaryUrl }) =>
    zip(
      epubEntries(
        chapters(
          `<img src="${canaryUrl}"/><iframe src="file://${canaryFile}"></iframe><script src="${canaryUrl}"></script><p>text</p>`,
        ),
        'elsewhere',
      ),
    ),
  'encrypted-chapters': (subject) =>
    added(subject, 'META-INF/encryption.xml', encryption('http://www.w3.org/2001/04/xmlenc#aes256-cbc', firstChapter)),
  'encrypted-fonts': (subject) =>
    added(subject, 'META-INF/encryption.xml', encryption('http://www.idpf.org/2008/embedding', 'OEBPS/font.otf')),
  'another-type': (subject) => withPart(subject.bytes, 'mimetype', () => 'application/vnd.oasis.opendocument.text'),
  'no-text': () => zip(epubEntries(chapters('<img src="a.png" alt=""/>', '<p hidden="">x</p>'), 'pictures')),
}
