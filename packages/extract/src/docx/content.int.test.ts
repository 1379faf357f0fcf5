import { describe, expect, it } from 'vitest'
import { texts } from '../read-file.fixture.ts'
import {
  blocksOf,
  cell,
  cellOf,
  noteMessages,
  paragraph,
  readDocx,
  relation,
  relations,
  row,
  run,
  span,
  style,
  stylesPart,
  table,
  word,
} from './docx.fixture.ts'

const textsOf = async (body: string) => texts(await readDocx(body))
const inParagraph = (...content: string[]): string => `<w:p>${content.join('')}</w:p>`
const textBox = (text: string): string => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`
const shape = (text: string): string =>
  `<w:drawing><wp:inline><wp:docPr id="1" name="Box 1"/><a:graphic><a:graphicData><wps:wsp><wps:txbx>${textBox(text)}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing>`
const vml = (text: string): string => `<w:pict><v:shape><v:textbox>${textBox(text)}</v:textbox></v:shape></w:pict>`
const picture = (properties = '', more = ''): string =>
  `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" ${properties}>${more}</wp:docPr><a:graphic><a:graphicData><pic:pic/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`

describe('raised text', () => {
  it('becomes an exponent or a footnote mark', async () => {
    const raised = (text: string) =>
      `<w:r><w:rPr><w:b/><w:vertAlign w:val="superscript"/></w:rPr><w:t>${text}</w:t></w:r>`
    const lowered = '<w:r><w:rPr><w:vertAlign w:val="subscript"/></w:rPr><w:t>2</w:t></w:r>'
    expect(
      await textsOf(
        inParagraph(
          run('10'),
          raised('6'),
          run(' cells of H'),
          lowered,
          run('O, as noted'),
          raised('1'),
          run(' on the 4'),
          raised('th'),
        ),
      ),
    ).toEqual(['10^6 cells of H2O, as noted [1] on the 4th'])
  })
})

describe('equations', () => {
  const m = (text: string): string => `<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>${text}</m:t></m:r>`
  const part = (name: string, ...content: string[]): string => `<m:${name}>${content.join('')}</m:${name}>`
  const e = (...content: string[]): string => part('e', ...content)
  const math = (...content: string[]): string => part('oMath', ...content)
  const power = part('sSup', e(m('r')), part('sup', m('2')))

  it.each([
    ['a power', m('A=π') + power, 'A=πr^2'],
    ['a fraction', part('f', part('num', m('distance')), part('den', m('time'))) + m('=speed'), 'distance/time=speed'],
    ['sums in a fraction', part('f', part('num', m('a+b')), part('den', power + m('+1'))), '(a+b)/(r^2+1)'],
    [
      'a binomial',
      '<m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num><m:r><m:t>n</m:t></m:r></m:num><m:den><m:r><m:t>k</m:t></m:r></m:den></m:f>',
      '(n¦k)',
    ],
    ['indices', part('sSubSup', e(m('x')), part('sub', m('i+1')), part('sup', m('2'))), 'x_(i+1)^2'],
    ['indices before', part('sPre', part('sub', m('6')), part('sup', m('14')), e(m('C'))), '_6^14C'],
    ['a root', part('rad', part('radPr', '<m:degHide m:val="1"/>'), part('deg'), e(m('x+1'))), '√(x+1)'],
    ['a cube root', part('rad', part('deg', m('3')), e(m('x'))), '√[3]x'],
    [
      'a sum',
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${part('sub', m('i=1'))}${part('sup', m('n'))}${e(m('i'))}</m:nary>`,
      '∑_(i=1)^n i',
    ],
    [
      'brackets',
      '<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val=")"/><m:sepChr m:val=","/></m:dPr><m:e><m:r><m:t>0</m:t></m:r></m:e><m:e><m:r><m:t>1</m:t></m:r></m:e></m:d>',
      '[0,1)',
    ],
    [
      'cases',
      `<m:d><m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>${e(part('eqArr', e(m('x&amp;=1')), e(m('y&amp;=2'))))}</m:d>`,
      '{x=1; y=2',
    ],
    ['a function', part('func', part('fName', m('sin')), e(m('x'))), 'sin x'],
    [
      'a limit',
      part('func', part('fName', part('limLow', e(m('lim')), part('lim', m('x→0')))), e(m('f'))),
      'lim_(x→0) f',
    ],
    [
      'a matrix',
      part('d', e(part('m', part('mr', e(m('a')), e(m('b'))), part('mr', e(m('c')), e(m('d')))))),
      '(a, b; c, d)',
    ],
    ['an accent', part('acc', e(m('x'))), 'x\u0302'],
  ])('become text in one line: %s', async (_, xml, text) => {
    expect(await textsOf(inParagraph(math(xml)))).toEqual([text])
  })

  it('become lines of their own between paragraphs', async () => {
    expect(await textsOf(inParagraph(run('So'), part('oMathPara', math(m('a=b'))), run('holds.')))).toEqual([
      'So\na=b\nholds.',
    ])
  })

  it('are read within a sentence, in a cell, in a paragraph of their own, and outside of paragraphs', async () => {
    const square = math(m('A=π') + power)
    const body = [
      inParagraph(run('The area '), square, run(' of a disc.')),
      table(row(cell('x'), cellOf(inParagraph(square)))),
      inParagraph(part('oMathPara', math(m('a=b')), math(m('c=d')))),
      inParagraph(math(m('a=b')), math(m('c=d'))),
      part('oMathPara', square),
    ]
    expect(await textsOf(body.join(''))).toEqual([
      'The area A=πr^2 of a disc.',
      '| x | A=πr^2 |\n| --- | --- |',
      'a=b\nc=d',
      'a=b c=d',
      'A=πr^2',
    ])
  })
})

describe('text boxes', () => {
  const choice = (first: string, second: string): string =>
    `<mc:AlternateContent><mc:Choice Requires="wps">${first}</mc:Choice><mc:Fallback>${second}</mc:Fallback></mc:AlternateContent>`

  it.each([
    ['of DrawingML', shape('Boxed')],
    ['of VML', vml('Boxed')],
    ['in both', choice(shape('Boxed'), vml('Boxed'))],
    ['with an empty fallback', choice(shape('Boxed'), '')],
    ['in the fallback only', choice('<w:drawing><wp:inline/></w:drawing>', vml('Boxed'))],
    ['within a group', `<w:drawing><wp:anchor><wpg:wgp>${shape('Boxed')}</wpg:wgp></wp:anchor></w:drawing>`],
  ])('%s are read once, after their paragraph', async (_, box) => {
    expect(await textsOf(`<w:p>${run('Before ')}<w:r>${box}</w:r>${run('and after')}</w:p>`)).toEqual([
      'Before and after',
      'Boxed',
    ])
  })

  it('include WordArt and text on a drawing canvas', async () => {
    const art = '<w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r>'
    const canvas =
      '<w:r><w:drawing><lc:lockedCanvas><a:p><a:r><a:t>Drawn</a:t></a:r></a:p></lc:lockedCanvas></w:drawing></w:r>'
    expect(await textsOf(inParagraph(run('Text'), art, canvas))).toEqual(['Text', 'DRAFT', 'Drawn'])
  })
})

describe('check boxes', () => {
  const control = (checked: string, content: string): string =>
    `<w:sdt><w:sdtPr><w14:checkbox>${checked}</w14:checkbox></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`
  const legacy = (state: string): string =>
    `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox>${state}</w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`

  it.each([
    ['checked', control('<w14:checked w14:val="1"/>', run('☒')), '☒'],
    ['checked, shown by another sign', control('<w14:checked w14:val="true"/>', run('✓')), '☒'],
    ['not checked', control('<w14:checked w14:val="0"/>', run('☐')), '☐'],
    ['without a state', control('', run('☐')), '☐'],
    ['without content', control('<w14:checked w14:val="1"/>', ''), '☒'],
    ['shown by a symbol', control('<w14:checked/>', '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>'), '☒'],
    ['checked, of an old form', legacy('<w:default w:val="0"/><w:checked/>'), '☒'],
    ['checked at first, of an old form', legacy('<w:default w:val="1"/>'), '☒'],
    ['not checked, of an old form', legacy('<w:default w:val="1"/><w:checked w:val="0"/>'), '☐'],
    ['new, of an old form', legacy(''), '☐'],
  ])('%s', async (_, box, text) => {
    expect(await textsOf(inParagraph(run('Paid: '), box, run(' thanks')))).toEqual([`Paid: ${text} thanks`])
    expect(await textsOf(table(row(cell('Paid'), cellOf(inParagraph(box)))))).toEqual([
      `| Paid | ${text} |\n| --- | --- |`,
    ])
  })

  it('are read around a paragraph and around a cell', async () => {
    const paid = control('<w14:checked w14:val="1"/>', paragraph('☒'))
    const ofCell = control('<w14:checked w14:val="0"/>', cell('☐'))
    expect(await textsOf(paid + table(row(cell('x'), ofCell)))).toEqual(['☒', '| x | ☐ |\n| --- | --- |'])
  })

  it('are read together with the choice of a list', async () => {
    const list =
      '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList></w:ffData>'
    const field = `<w:r><w:fldChar w:fldCharType="begin">${list}</w:fldChar><w:instrText>FORMDROPDOWN</w:instrText><w:fldChar w:fldCharType="end"/></w:r>`
    expect(await textsOf(inParagraph(run('Color: '), field))).toEqual(['Color: blue'])
  })
})

it('joins a drop cap with its word', async () => {
  const initial = (text: string, at: string) => paragraph(text, `<w:framePr w:dropCap="${at}" w:lines="3"/>`)
  expect(
    await textsOf(initial('D', 'drop') + paragraph('rop cap.') + initial('M', 'margin') + paragraph('argin.')),
  ).toEqual(['Drop cap.', 'Margin.'])
  expect(await textsOf(initial('N', 'none') + paragraph('o initial'))).toEqual(['N', 'o initial'])
})

describe('comments', () => {
  const comments = (...all: string[]) => ({ 'word/comments.xml': `<w:comments ${word}>${all.join('')}</w:comments>` })
  const comment = (id: number, author: string, ...content: string[]): string =>
    `<w:comment w:id="${id}" w:author="${author}">${content.join('')}</w:comment>`
  const begin = (id: number): string => `<w:commentRangeStart w:id="${id}"/>`
  const end = (id: number): string => `<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`

  it('name their author and the text they refer to', async () => {
    const body = [
      inParagraph(run('Sow '), begin(0), run('peas'), begin(1), run(' in April'), end(0)),
      inParagraph(run('and May'), end(1), run('.')),
      inParagraph(run('More'), '<w:r><w:commentReference w:id="2"/></w:r>'),
    ]
    const all = comments(
      comment(0, 'Ann', paragraph('Too early?'), paragraph('Ask Bo.')),
      comment(1, '', paragraph('Yes.')),
      comment(2, 'Bo', paragraph('No place.')),
      comment(3, 'Cy', '<w:p/>'),
    )
    expect(texts(await readDocx(body.join(''), all))).toEqual([
      'Sow peas in April',
      'and May.',
      'More',
      'Comment by Ann on “peas in April”: Too early?\nAsk Bo.',
      'Comment on “in April and May”: Yes.',
      'Comment by Bo: No place.',
    ])
  })
})

describe('headers and footers', () => {
  const part = (root: string, ...content: string[]): string => `<w:${root} ${word}>${content.join('')}</w:${root}>`
  const field = (instruction: string, result: string): string =>
    `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ${instruction} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`

  it('become blocks at the end, each text once, without page number fields', async () => {
    const read = await readDocx(paragraph('Body'), {
      'word/_rels/document.xml.rels': relations(
        relation('a', 'header', 'header1.xml'),
        relation('b', 'header', 'header2.xml'),
        relation('c', 'footer', 'footer1.xml'),
        relation('d', 'footer', 'footer2.xml'),
      ),
      'word/header1.xml': part('hdr', table(row(cell('Left'), cell('Right'))), paragraph('Confidential')),
      'word/header2.xml': part('hdr', table(row(cell('Left'), cell('Right'))), paragraph('Confidential')),
      'word/footer1.xml': part(
        'ftr',
        inParagraph(run('Plan of '), field('AUTHOR', 'Ann'), run(', page '), field('PAGE \\* MERGEFORMAT', '17')),
        inParagraph(`<w:fldSimple w:instr=" NUMPAGES ">${run('99')}</w:fldSimple>`),
      ),
      'word/footer2.xml': part('ftr', inParagraph(field('PAGE', '3'))),
    })
    expect(texts(read)).toEqual(['Body', 'Header: Left\nRight\nConfidential', 'Footer: Plan of Ann, page'])
  })

  it('keep page numbers that are plain text', async () => {
    expect(await textsOf(inParagraph(run('All '), field('NUMPAGES', '14'), run(' pages')))).toEqual(['All 14 pages'])
  })
})

it('reads diagrams in the order of their outline', async () => {
  const point = (id: string, text: string) =>
    `<dgm:pt modelId="${id}"><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`
  const link = (from: string, to: string, order: number) =>
    `<dgm:cxn srcId="${from}" destId="${to}" srcOrd="${order}"/>`
  const data = `<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:ptLst><dgm:pt modelId="0" type="doc"/>${point('1', 'second')}${point('2', 'first')}${point('3', 'under first')}${point('4', 'lost')}</dgm:ptLst><dgm:cxnLst>${link('0', '1', 1)}${link('0', '2', 0)}${link('2', '3', 0)}${link('4', '4', 0)}</dgm:cxnLst></dgm:dataModel>`
  const diagram = (id: string) =>
    `<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><dgm:relIds r:dm="${id}"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
  const read = await readDocx(paragraph('Text') + diagram('d') + diagram('none'), {
    'word/_rels/document.xml.rels': relations(relation('d', 'diagramData', 'diagrams/data1.xml')),
    'word/diagrams/data1.xml': data,
  })
  expect(texts(read)).toEqual(['Text', 'first', 'under first', 'second', 'lost'])
  expect(noteMessages(read)).toEqual(['content_not_read: 1 diagram was not read.'])
})

describe('pictures', () => {
  it('are read by their description, and noted without one', async () => {
    const decorative = '<a:extLst><adec:decorative val="1"/></a:extLst>'
    const body = [
      inParagraph(run('See'), picture('descr="Map of the orchard"'), run('here.')),
      inParagraph(picture('title="Pond"')),
      inParagraph(picture('descr="https://example.org/a.gif"'), picture('descr="image1.png"'), picture()),
      inParagraph(picture('', decorative)),
      inParagraph('<w:r><w:pict><v:shape alt="A gate"><v:imagedata r:id="i"/></v:shape></w:pict></w:r>'),
    ]
    const read = await readDocx(body.join(''))
    expect(texts(read)).toEqual(['See [Picture: Map of the orchard]here.', '[Picture: Pond]', '[Picture: A gate]'])
    expect(noteMessages(read)).toEqual(['content_not_read: 3 pictures without a description were not read.'])
  })
})

it('reads fields whose text is part of their instruction', async () => {
  const field = (instruction: string) =>
    `<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>${instruction}</w:instrText><w:fldChar w:fldCharType="end"/></w:r>`
  const ruby = field('EQ \\* jc2 \\* hps11 \\o\\ad(\\s\\up 10(とうきょう),東京)')
  const read = await readDocx(inParagraph(ruby, field(' MACROBUTTON NoMacro [Your name] '), field('EQ \\f(1,2)')))
  expect(texts(read)).toEqual(['東京[Your name]'])
  expect(noteMessages(read)).toEqual(['content_not_read: 1 equation field was not read.'])
})

it('reads the description of a chart, a diagram or a shape, not that of a text box', async () => {
  const drawing = (content: string) =>
    inParagraph(
      `<w:r><w:drawing><wp:inline><wp:docPr descr="Described"/><a:graphic>${content}</a:graphic></wp:inline></w:drawing></w:r>`,
    )
  const read = await readDocx(drawing('<c:chart/>') + drawing('<wps:wsp/>') + drawing(textBox('Boxed')))
  expect(texts(read)).toEqual(['[Picture: Described]', '[Picture: Described]', 'Boxed'])
})

it('notes each kind of content that is not read', async () => {
  const inRun = (xml: string): string => inParagraph(`<w:r>${xml}</w:r>`)
  const body = [
    paragraph('Text'),
    '<w:altChunk r:id="c"/>',
    inParagraph('<w:subDoc r:id="s"/>'),
    inRun('<w:drawing><wp:inline><c:chart r:id="x"/></wp:inline></w:drawing>').repeat(2),
    inRun('<w:object><v:shape><v:imagedata r:id="i"/></v:shape><o:OLEObject ProgID="Excel.Sheet.12"/></w:object>'),
    inRun('<w:object><w:control r:id="b"/></w:object>'),
    inRun('<w:sym w:font="Private" w:char="F123"/><w:sym w:font="Arial" w:char="00E9"/>'),
  ]
  const read = await readDocx(body.join(''))
  expect(texts(read)).toEqual(['Text', 'é'])
  expect(noteMessages(read).map((message) => message.replace('content_not_read: ', ''))).toEqual([
    '1 imported document (altChunk) was not read.',
    '1 subdocument was not read.',
    '2 charts were not read.',
    '1 embedded object was not read.',
    '1 form control was not read.',
    expect.stringMatching(/w:sym/),
  ])
})

it('reads text in wrappers of any name', async () => {
  const wrapped = ['smartTag', 'customXml', 'dir', 'bdo', 'ins', 'aLaterWrapper'].map(
    (name) => `<w:${name}>${run(` ${name}`)}</w:${name}>`,
  )
  expect(await textsOf(`<w:customXml>${inParagraph(...wrapped)}</w:customXml>`)).toEqual([
    'smartTag customXml dir bdo ins aLaterWrapper',
  ])
})

describe('tables', () => {
  const styles = stylesPart(style('H', 'heading 1'))
  const heading = (text: string) => paragraph(text, '<w:pStyle w:val="H"/>')
  const down = '<w:vMerge w:val="restart"/>'
  const isHeader = '<w:trPr><w:tblHeader/></w:trPr>'
  const read = async (body: string) => blocksOf(await readDocx(body, styles))

  it('used for layout are replaced by the blocks of their cells', async () => {
    const grid = table(row(cell('Metric'), cell('Value')), row(cell('Girth'), cell('34')))
    const page = [heading('One'), paragraph('Two gates.'), grid, heading('Two'), paragraph('Bees.')]
    const blocks = ['heading1: One', 'text: Two gates.', 'table: | Metric | Value |\n| --- | --- |\n| Girth | 34 |']
    const all = [...blocks, 'heading1: Two', 'text: Bees.']
    expect(await read(table(row(cellOf(...page))))).toEqual(all)
    expect(await read(table(row(cellOf(table(row(cellOf(...page)))))))).toEqual(all)
    expect(await read(table(row(cell('Logo')), row(cellOf(...page))))).toEqual(['text: Logo', ...all])
    expect(await read(table(...page.map((block) => row(cellOf(block)))))).toEqual(all)
    expect(await read(table(row(cellOf(paragraph('a'), paragraph('b')), cell('c'))))).toEqual([
      'text: a',
      'text: b',
      'text: c',
    ])
    expect(await read(table(row(cell('Menu'), cellOf(...page))))).toEqual(['text: Menu', ...all])
    expect(await read(table(row(cell('A note in a frame'))))).toEqual(['text: A note in a frame'])
  })

  it('with headings alone in their cells remain tables', async () => {
    expect(await read(table(row(cellOf(heading('Crop')), cell('Row')), row(cell('Beans'), cell('12'))))).toEqual([
      'table: | Crop | Row |\n| --- | --- |\n| Beans | 12 |',
    ])
  })

  it('join all header rows of a column to one name', async () => {
    const groups = cell('2023', span(2)) + cell('2024', span(2))
    const names = ['Plan', 'Real', 'Plan', 'Real'].map((name) => cell(name)).join('')
    const values = row(...['North', '1', '2', '3', '4'].map((value) => cell(value)))
    const expected = [
      'table: | Orchard | 2023 Plan | 2023 Real | 2024 Plan | 2024 Real |\n| --- | --- | --- | --- | --- |\n| North | 1 | 2 | 3 | 4 |',
    ]
    expect(await read(table(row(cell('Orchard', down), groups), row(cell('', '<w:vMerge/>'), names), values))).toEqual(
      expected,
    )
    expect(await read(table(row(cell(''), groups), row(cell('Orchard'), names), values))).toEqual(expected)
    expect(await read(table(row(isHeader, cell('Orchard'), groups), row(isHeader, cell(''), names), values))).toEqual(
      expected,
    )
    expect(
      await read(
        table(
          row(cell('Yields', span(5))),
          row(cell('Orchard', down), groups),
          row(cell('', '<w:vMerge/>'), names),
          values,
        ),
      ),
    ).toEqual(['text: Yields', ...expected])
  })

  it('keep the footnote of their title once', async () => {
    const title = `<w:tc><w:tcPr>${span(2)}</w:tcPr>${inParagraph(run('Yields'), '<w:r><w:footnoteReference w:id="2"/></w:r>')}</w:tc>`
    const notes = {
      'word/footnotes.xml': `<w:footnotes ${word}><w:footnote w:id="2">${paragraph('In tons')}</w:footnote></w:footnotes>`,
    }
    const body = table(row(title), row(cell('a'), cell('b')), row(cell('1'), cell('2')))
    expect(texts(await readDocx(body, notes))).toEqual([
      'Yields [1]',
      '| a | b |\n| --- | --- |\n| 1 | 2 |',
      '[1] In tons',
    ])
  })

  it('keep rows of values whose cells are merged', async () => {
    const day = (name: string) => [
      row(cell(name, down), cell('Morning', span(2))),
      row(cell('', '<w:vMerge/>'), cell('9:00'), cell('Math')),
    ]
    expect(await read(table(...day('Monday'), ...day('Tuesday')))).toEqual([
      'table: | Monday | Morning | Morning |\n| --- | --- | --- |\n| Monday | 9:00 | Math |\n| Tuesday | Morning | Morning |\n| Tuesday | 9:00 | Math |',
    ])
    const merged = [
      row(cell('a', down), cell('b', span(2))),
      row(cell('', '<w:vMerge/>'), cell('c'), cell('d', down)),
      row(cell('e', span(2)), cell('', '<w:vMerge/>')),
    ]
    expect(await read(table(...merged))).toEqual([
      'table: | a | b | b |\n| --- | --- | --- |\n| a | c | d |\n| e | e | d |',
    ])
    expect(
      await read(table(row(cell('Name'), cell('Contact', span(2))), row(cell('Ann'), cell('x'), cell('y')))),
    ).toEqual(['table: | Name | Contact | Contact |\n| --- | --- | --- |\n| Ann | x | y |'])
  })

  it('leave out deleted rows, and shift rows that begin later', async () => {
    const body = table(
      row(cell('a'), cell('b')),
      row('<w:trPr><w:del w:id="1"/></w:trPr>', cell('gone'), cell('gone')),
      row('<w:trPr><w:gridBefore w:val="1"/></w:trPr>', cell('under b')),
    )
    expect(await read(body)).toEqual(['table: | a | b |\n| --- | --- |\n|  | under b |'])
  })
})

it('limits what it holds of a long paragraph, equation or list of comments', async () => {
  const long = run('x'.repeat(9 * 1024 * 1024))
  expect((await readDocx(inParagraph(long))).failure).toBe('too_large_to_process')
  const equation = `<m:oMath>${'<m:e/>'.repeat(100_000)}</m:oMath>`
  expect((await readDocx(inParagraph(run('a'), equation))).failure).toBe('too_large_to_process')
  const open = Array.from({ length: 30_000 }, (_, id) => `<w:commentRangeStart w:id="${id}"/>`).join('')
  expect(texts(await readDocx(inParagraph(run('a'), open, run('b').repeat(10_000))))).toEqual([
    `a${'b'.repeat(10_000)}`,
  ])
})
