import { expect, it } from 'vitest'
import { readFile, texts } from '../../read-file.fixture.ts'
import { writeObjects, writePdf } from '../pdf.fixture.ts'
import { valuesOf } from './xfa.ts'

const textsOf = async (bytes: Uint8Array): Promise<string[]> => texts(await readFile('pdf', bytes, { ocr: false }))
const link = (address: string, [x0, y0, x1, y1]: readonly number[]) =>
  `/Subtype /Link /A << /S /URI /URI (${address}) >> /Rect [${x0} ${y0} ${x1} ${y1}]`

it('puts the address of a link behind its last word', async () => {
  const lines = [
    { text: 'Read the rules of the harbor before you land.', x: 72, y: 700 },
    { text: 'They are at www.harbor.example and nowhere else.', x: 72, y: 686 },
  ]
  const annotations = [
    // Links on `the rules`, on an address in the text, to a page, and to a script.
    link('https://harbor.example/rules', [98, 696, 145, 712]),
    link('https://www.harbor.example/', [130, 682, 240, 697]),
    '/Subtype /Link /Dest [0 /Fit] /Rect [72 682 90 697]',
    link('javascript:alert(1)', [72, 682, 90, 697]),
  ]
  expect(await textsOf(writePdf({ pages: [{ lines, annotations }] }))).toEqual([
    'Read the rules (https://harbor.example/rules) of the harbor before you land. They are at www.harbor.example and nowhere else.',
  ])
})

it('puts the address of a link over two lines behind it once', async () => {
  const lines = [
    { text: 'All is told in the long list of', x: 72, y: 700 },
    { text: 'ships that landed here.', x: 72, y: 686 },
  ]
  const annotations = [
    link('https://harbor.example/ships', [140, 696, 240, 712]),
    link('https://harbor.example/ships', [70, 682, 98, 697]),
  ]
  expect(await textsOf(writePdf({ pages: [{ lines, annotations }] }))).toEqual([
    'All is told in the long list of ships (https://harbor.example/ships) that landed here.',
  ])
})

it('reads Cyrillic letters of a font whose map has UTF-8 in place of UTF-16', async () => {
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /P def
1 begincodespacerange <00> <FF> endcodespacerange
4 beginbfchar <41> <D09B> <42> <D0B8> <43> <D181> <44> <D182> endbfchar
endcmap end end`
  const bytes = writeObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    { dictionary: '', bytes: Buffer.from('BT /F1 12 Tf 72 700 Td (ABCD) Tj ET') },
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 6 0 R >>',
    { dictionary: '', bytes: Buffer.from(map) },
  ])
  expect(await textsOf(bytes)).toEqual(['Лист'])
})

it('reads the values of a form whose data is in XFA', () => {
  const data =
    '<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form1><Name>Ann Moor</Name><Address><City>Oslo &amp; Bergen</City><Zip/></Address></form1></xfa:data></xfa:datasets>'
  expect(valuesOf(data)).toEqual(['Name: Ann Moor', 'City: Oslo & Bergen'])
})
