import { writeFileSync } from 'node:fs'
import { type FileType, fileTypes } from '@cairn/contracts/files/file-rules'
import { zip } from '@cairn/testing/material/zip-writer'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { pptx, titled } from './pptx/pptx.fixture.ts'
import { docx, textRow, xlsx } from './read-file.fixture.ts'
import { sniff } from './sniff.ts'

const found = async (type: FileType, content: string | Uint8Array): Promise<string> => {
  const path = temporaryFile('file')
  writeFileSync(path, content)
  return sniff(path, type).then(
    () => 'agrees',
    (error: { code?: string }) => error.code ?? 'another error',
  )
}

const word = docx('<w:p/>')
const workbook = xlsx({ S: `<sheetData>${textRow(1, 'a')}</sheetData>` })
const slides = pptx([{ body: titled('a') }])
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(200)])
/** Beginnings of pictures. */
const beginnings = ['89504e470d0a1a0a', 'ffd8ffe0', '49492a00', '4d4d002a', '524946460000000057454250']
const exe = Buffer.concat([
  Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'),
  Buffer.from(Array.from({ length: 2000 }, (_, index) => (index * 37) % 256)),
])
const oldContainer = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)])

it.each([
  ['pdf', '%PDF-1.7\n'],
  ...beginnings.map((hex) => ['png', Buffer.from(hex, 'hex')] as const),
  ['docx', word],
  ['xlsx', workbook],
  ['pptx', slides],
  ['eml', 'Subject: a\r\nFrom: a@b.c\r\n\r\ntext'],
  ['eml', 'X-Id: 1\nReceived: x\n\tby y\nodd line\nDATE: today\n\n'],
  ['csv', 'a,b\n1,2'],
  ['json', ' \n{"a":1}'],
  ['json', '\uFEFF[]'],
  ['json', Buffer.from('\uFEFF{"a":1}', 'utf16le')],
  ['txt', 'MZ is how this text begins'],
  ['txt', 'BM is how this one does'],
  ['txt', '<html>is text too</html>'],
  ['txt', Buffer.from('wide text without a mark', 'utf16le')],
  ['txt', Buffer.from([0x63, 0x61, 0x66, 0xe9])],
  ['md', '<h1>Markdown may be HTML</h1>'],
  ['txt', 'one\0'],
  ['txt', 'name\0other name\0'],
  ['txt', `${'\0'.repeat(300_000)}a log whose beginning was cut off`],
  ['txt', `begin\n${'\0'.repeat(60_000)}`],
  ['txt', 'a\x7f'],
  ['txt', '\x1b[31mred\x1b[0m'],
  ['csv', 'a,b\n1\0,2'],
  ['csv', 'a\x1fb\n1\x1f2'],
  ['md', '# Title\x0b\x7f'],
  ['json', '["a\x7fa"]'],
  ['json', '\x1e{"a":1}\n\x1e{"a":2}'],
  ['html', '<!DOCTYPE html><title>x</title>'],
  ['html', ' <!-- saved --><?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><html/>'],
  ['html', 'Only <b>a part</b> of a page'],
  ['html', 'From <i>here</i> on'],
  ['html', Buffer.from('\uFEFF<html><body>wide', 'utf16le')],
  ['epub', zip([{ name: 'META-INF/container.xml', data: '<container/>' }])],
  [
    'epub',
    zip([
      { name: 'mimetype', data: 'application/epub+zip\n' },
      { name: 'META-INF/container.xml', data: 'x' },
    ]),
  ],
] as const)('finds that a %s is one (%#)', async (type, content) => {
  expect(await found(type, content)).toBe('agrees')
})

it.each([
  ['pdf', exe],
  ['pdf', 'text'],
  ['docx', workbook],
  ['xlsx', word],
  ['docx', slides],
  ['pptx', word],
  ['pptx', oldContainer],
  ['eml', 'A text.\n\nFrom: a\nTo: b\n'],
  ['eml', 'Note: a\nWhere: b\n\n'],
  ['eml', 'From ann@b.c Mon Mar  2 10:15:00 2026\n\ntext'],
  ['eml', oldContainer],
  ['docx', zip([{ name: 'a.txt', data: 'a' }])],
  ['docx', 'text'],
  ['docx', oldContainer],
  ['csv', '<!DOCTYPE html>\n<html><body>a,b</body></html>'],
  ['csv', png],
  ['csv', word],
  ['json', 'hello'],
  ['json', '<html></html>'],
  ['txt', exe],
  ['txt', png],
  ['txt', Buffer.alloc(300_000)],
  ['md', '\x01\x02'],
  ['txt', Buffer.from('GIF89a\x01\0\x01\0\0\xff\0,', 'latin1')],
  ['txt', Buffer.concat([Buffer.alloc(100_000), exe])],
  ['txt', '%PDF-1.4 text only'],
  ['txt', '{\\rtf1 text}'],
  ['md', word],
  ['epub', word],
  ['epub', zip([{ name: 'a.txt', data: 'a' }])],
  [
    'epub',
    zip([
      { name: 'mimetype', data: 'application/vnd.oasis.opendocument.text' },
      { name: 'META-INF/container.xml', data: 'x' },
    ]),
  ],
  ['epub', '<html></html>'],
  ['html', png],
  ['html', word],
  ['html', '%PDF-1.7 <html>'],
  ['html', 'only text, 1 < 2 and 3 > 2'],
  ['html', '# Markdown\n\nwith **marks**'],
  ['html', '<?xml version="1.0"?><feed><title>x</title><p>x</p></feed>'],
  ['html', '<!DOCTYPE rss><rss><title>x</title></rss>'],
  ['html', 'From: <Saved by a browser>\nMIME-Version: 1.0\n\n<html><p>x</p></html>'],
] as const)('finds that a %s is none (%#)', async (type, content) => {
  expect(await found(type, content)).toBe('content_mismatch')
})

it.each(fileTypes)('fails with empty_file for a %s without bytes', async (type) => {
  expect(await found(type, '')).toBe('empty_file')
})

it('fails with encrypted for an office file with a password', async () => {
  expect(await found('docx', Buffer.concat([oldContainer, Buffer.from('EncryptedPackage', 'utf16le')]))).toBe(
    'encrypted',
  )
})
