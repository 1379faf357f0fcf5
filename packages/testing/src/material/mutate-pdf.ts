import { deflateSync } from 'node:zlib'
import { zlibBomb } from './deflate-bomb.ts'
import type { Mutations, Subject } from './mutation.ts'
import { type PdfObject, pdf, pdfString, stream } from './pdf-writer.ts'

const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const sentence = 'BT /F1 12 Tf 60 700 Td (Some text of the page.) Tj ET'

/**
 * Creates a document of five objects: catalog, page tree, one page, its content and a font. The page tree, content and
 * font can be replaced, the catalog and the page extended, and more objects can follow from number 6 on.
 */
const onePage = (
  change: {
    readonly catalogue?: string
    readonly tree?: string
    readonly page?: string
    readonly content?: PdfObject
    readonly font?: string
  } = {},
  more: readonly PdfObject[] = [],
): PdfObject[] => [
  `<< /Type /Catalog /Pages 2 0 R ${change.catalogue ?? ''} >>`,
  change.tree ?? '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ${change.page ?? ''} >>`,
  change.content ?? stream(sentence),
  change.font ?? font,
  ...more,
]

const raw = (bytes: Buffer, entries: string): Buffer =>
  Buffer.concat([Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`), bytes, Buffer.from('\nendstream')])

/** Replaces what `from` matches in the file: the first match, or all matches if `from` is global. */
const rewritten = ({ bytes }: Subject, from: RegExp, to: string): Buffer =>
  Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1')

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)

export const pdfMutations: Mutations = {
  'cyclic-page-tree': () =>
    pdf([
      ...onePage({ tree: '<< /Type /Pages /Count 3 /Kids [3 0 R 6 0 R] >>' }),
      '<< /Type /Pages /Parent 2 0 R /Count 2 /Kids [2 0 R 6 0 R] >>',
    ]),
  'page-is-its-own-parent': () => pdf(onePage({ tree: '<< /Type /Pages /Count 1 /Kids [2 0 R] /Parent 2 0 R >>' })),
  'huge-count': ({ random }) =>
    pdf(
      onePage({
        tree: `<< /Type /Pages /Count ${random.pick([2_147_483_647, 1_000_000, -1, 4_294_967_296])} /Kids [3 0 R] >>`,
      }),
    ),
  'pages-that-are-not-there': () =>
    pdf(onePage({ tree: `<< /Type /Pages /Count 500 /Kids [3 0 R ${'99 0 R '.repeat(499)}] >>` })),
  'empty-pages': ({ random }) => {
    const count = random.pick([1_000, 100_000])
    return pdf(
      onePage({ content: stream(''), tree: `<< /Type /Pages /Count ${count} /Kids [${'3 0 R '.repeat(count)}] >>` }),
    )
  },
  'no-text': () => pdf(onePage({ content: stream('') })),
  'filter-bomb': ({ expandedBytes }) => {
    const content = zlibBomb({ opening: sentence, unit: ' ', size: expandedBytes })
    return pdf(onePage({ content: raw(content, '/Filter /FlateDecode') }))
  },
  'filter-bomb-twice': ({ expandedBytes }) => {
    const content = deflateSync(zlibBomb({ opening: sentence, unit: ' ', size: expandedBytes }), { level: 9 })
    return pdf(onePage({ content: raw(content, '/Filter [/FlateDecode /FlateDecode]') }))
  },
  'filter-bomb-of-runs': ({ expandedBytes }) => {
    // Each pair of bytes expands to 128 blanks, so the data expands another 64 times.
    const content = zlibBomb({ unit: Buffer.from([129, 0x20]), size: expandedBytes / 64 })
    return pdf(onePage({ content: raw(content, '/Filter [/FlateDecode /RunLengthDecode]') }))
  },
  'many-filters': () =>
    pdf(onePage({ content: raw(deflateSync(sentence), `/Filter [${'/FlateDecode '.repeat(5_000)}]`) })),
  'huge-picture': () =>
    pdf(
      onePage({ page: '/Rotate 90', content: stream('q 500 0 0 500 0 0 cm /P Do Q') })
        .with(
          2,
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /P 6 0 R >> >> >>',
        )
        .concat(
          stream(
            Buffer.alloc(1_000),
            '/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /ColorSpace /DeviceRGB /BitsPerComponent 8',
          ),
        ),
    ),
  'huge-page': ({ random }) => {
    const side = random.pick([14_400, 1_000_000, 2_000_000_000])
    return pdf(
      onePage({ content: stream('0 0 10 10 re f'), page: '' }).map((object) =>
        typeof object === 'string' ? object.replace('595 842', `${side} ${side}`) : object,
      ),
    )
  },
  'page-without-size': () =>
    pdf(onePage().map((object) => (typeof object === 'string' ? object.replace('595 842', '0 0') : object))),
  'truncated-xref': ({ bytes }) => bytes.subarray(0, bytes.lastIndexOf('xref\n0') + 40),
  'xref-astray': (subject) =>
    rewritten(subject, /startxref\n\d+/, `startxref\n${subject.random.below(subject.bytes.length * 2)}`),
  'xref-in-a-ring': (subject) => {
    const index = subject.bytes.lastIndexOf('xref\n0')
    return rewritten(subject, /trailer\n<< /, `trailer\n<< /Prev ${index} /XRefStm ${index} `)
  },
  'xref-of-everything': (subject) => rewritten(subject, /xref\n0 \d+/, 'xref\n0 2147483647'),
  'wrong-offsets': (subject) =>
    rewritten(subject, /\d{10}(?= 00000 n)/g, String(subject.random.below(10_000)).padStart(10, '0')),
  'wrong-lengths': (subject) =>
    rewritten(subject, /\/Length \d+/g, `/Length ${subject.random.pick([0, 1, 2_147_483_647, -5])}`),
  'length-of-itself': () => pdf(onePage({ content: Buffer.from('<< /Length 4 0 R >>\nstream\nBT ET\nendstream') })),
  'script-that-acts': ({ canaryUrl, canaryFile }) => {
    const script = `app.launchURL(${JSON.stringify(canaryUrl)}); this.submitForm(${JSON.stringify(canaryUrl)}); while(true){}`
    return pdf(
      onePage(
        {
          catalogue: '/OpenAction 6 0 R /AA << /WC 6 0 R /O 7 0 R >> /Names << /JavaScript << /Names [(a) 6 0 R] >> >>',
          page: '/AA << /O 6 0 R /C 8 0 R >> /Annots [9 0 R]',
        },
        [
          `<< /S /JavaScript /JS ${pdfString(script)} /Next 7 0 R >>`,
          `<< /S /URI /URI ${pdfString(canaryUrl)} /Next 8 0 R >>`,
          `<< /S /Launch /F ${pdfString(canaryFile)} /Next 6 0 R >>`,
          '<< /Type /Annot /Subtype /Link /Rect [0 0 500 500] /A 7 0 R >>',
        ],
      ),
    )
  },
  'content-elsewhere': ({ canaryFile, canaryUrl, random }) =>
    pdf(
      onePage({
        content: raw(
          Buffer.from(sentence),
          `/F << /Type /Filespec /FS ${random.pick(['/URL', '/None'])} /F ${pdfString(random.pick([canaryFile, canaryUrl]))} >>`,
        ),
      }),
    ),
  'form-that-asks': ({ canaryUrl }) =>
    pdf(
      onePage({ catalogue: '/AcroForm << /Fields [] /XFA 6 0 R /NeedAppearances true >>' }, [
        stream(
          `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "${canaryUrl}">]><xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">&e;</xdp:xdp>`,
        ),
      ]),
    ),
  'font-with-script': () =>
    pdf(
      onePage({
        font: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FontMatrix [1 0 0 1 0 (0\\); globalThis.polluted = true; //)] /FirstChar 0 /LastChar 2147483647 /Widths [1] >>',
      }),
    ),
  'font-of-itself': () =>
    pdf(
      onePage(
        {
          font: '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 6 0 R >> /Encoding << /Differences [0 /a] >> /FirstChar 0 /LastChar 0 /Widths [1] /Resources << /Font << /F1 5 0 R >> >> >>',
        },
        [stream('1 0 d0 BT /F1 12 Tf (\\000) Tj ET')],
      ),
    ),
  'form-of-itself': () =>
    pdf([
      ...onePage({ content: stream('/X Do') }).with(
        2,
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /X 6 0 R >> >> >>',
      ),
      stream('/X Do /X Do', '/Type /XObject /Subtype /Form /BBox [0 0 10 10] /Resources << /XObject << /X 6 0 R >> >>'),
    ]),
  'outline-in-a-ring': () =>
    pdf(
      onePage({ catalogue: '/Outlines 6 0 R' }, [
        '<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>',
        '<< /Title (round) /Parent 6 0 R /Next 7 0 R /Prev 7 0 R /First 6 0 R /Last 7 0 R /Dest [3 0 R /XYZ 0 0 0] >>',
      ]),
    ),
  'outline-to-nowhere': () =>
    pdf(
      onePage({ catalogue: '/Outlines 6 0 R' }, [
        '<< /First 7 0 R /Last 7 0 R >>',
        '<< /Title 5 /Parent 6 0 R /Dest [null /XYZ] /A << /S /GoTo /D (x) >> >>',
      ]),
    ),
  'deep-arrays': () => pdf(onePage({ catalogue: `/X ${deep('[', ']', 200_000)}` })),
  'deep-content': () => pdf(onePage({ content: stream(`${'q '.repeat(500_000)}${sentence}`) })),
  'many-objects': () => pdf([...onePage(), ...Array.from({ length: 200_000 }, () => '<< >>')]),
  'endless-text': () =>
    pdf(onePage({ content: stream(`BT /F1 1 Tf ${'(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) Tj '.repeat(100_000)}ET`) })),
  'letters-without-meaning': () =>
    pdf(
      onePage({
        content: stream(
          `BT /F1 12 Tf 60 700 Td <${Array.from({ length: 200 }, (_, index) => (index % 32).toString(16).padStart(2, '0')).join('')}> Tj ET`,
        ),
      }),
    ),
  'encrypted-by-nobody': ({ bytes, random }) =>
    rewritten(
      { bytes } as Subject,
      /trailer\n<< /,
      `trailer\n<< /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${'ab'.repeat(32)}> /U <${random.below(256).toString(16).padStart(2, '0').repeat(32)}> >> /ID [<01> <02>] `,
    ),
  'encrypted-by-an-unknown': (subject) =>
    rewritten(subject, /trailer\n<< /, 'trailer\n<< /Encrypt << /Filter /Nobody.Knows /V 99 >> '),
  'no-root': (subject) => rewritten(subject, /\/Root \d+ 0 R/, '/Root 9999 0 R'),
  'root-is-a-number': () => pdf(['42', ...onePage().slice(1)]),
  'only-a-header': () => Buffer.from('%PDF-1.7\n'),
  'late-header': ({ bytes }) => Buffer.concat([Buffer.alloc(1_000, '\n'), bytes]),
}
