import { slideCell, slideTable } from '@cairn/testing/material/create-pptx'
import { xml } from '@cairn/testing/material/zip-writer'
import { describe, expect, it } from 'vitest'
import { blocksOf, noteMessages } from '../docx/docx.fixture.ts'
import { readFile, texts } from '../read-file.fixture.ts'
import {
  box,
  paragraph,
  pptx,
  readPptx,
  relation,
  relationsPart,
  run,
  shapesPart,
  textShape,
  titled,
} from './pptx.fixture.ts'

const named = (id: string, more = '', inner = '') => `<p:cNvPr id="${id}" name="x" ${more}>${inner}</p:cNvPr>`
const bullet = (level: number, kind: string) => `<a:pPr lvl="${level}">${kind}</a:pPr>`
const numbered = (type: string, first = '') => `<a:buAutoNum type="${type}" ${first}/>`
const linked = (text: string, id: string) => `<a:r><a:rPr><a:hlinkClick r:id="${id}"/></a:rPr><a:t>${text}</a:t></a:r>`
const link = (id: string, target: string) => relation(id, 'hyperlink', target, 'TargetMode="External"')

describe('slides', () => {
  it('have raised text as exponents or footnote marks', async () => {
    const raised = (text: string) => `<a:r><a:rPr baseline="30000"/><a:t>${text}</a:t></a:r>`
    const body = paragraph(run('10') + raised('6') + run(' cells, as noted') + raised('1') + run(' here'))
    const read = await readPptx([titled('Title') + textShape(body)])
    expect(texts(read)).toEqual(['Title', '10^6 cells, as noted [1] here'])
  })

  it('are read in the order of the presentation, each below its title or its number', async () => {
    const read = await readPptx(
      [titled('First') + box('one', 10, 50), box('two', 10, 50), titled('Third') + box('three', 10, 50)],
      {
        'ppt/_rels/presentation.xml.rels': relationsPart(
          relation('rId1', 'slide', 'slides/slide3.xml'),
          relation('rId2', 'slide', '/ppt/slides/slide2.xml'),
          relation('rId3', 'slide', 'slides/slide1.xml'),
        ),
      },
    )
    expect(blocksOf(read)).toEqual([
      'heading1: Third',
      'text: three',
      'heading1: Slide 2',
      'text: two',
      'heading1: First',
      'text: one',
    ])
    expect(read.blocks.map(({ at }) => at)).toEqual([1, 1, 2, 2, 3, 3].map((page) => ({ page })))
    expect(read.events[0]).toEqual({ event: 'properties', properties: { title: 'Deck', author: 'Cairn' } })
  })

  it('have their shapes from top to bottom, columns one after the other, groups in one', async () => {
    const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="3600000"/><a:ext cx="9000000" cy="400000"/></a:xfrm></p:grpSpPr>${box('in group, right', 500, 900)}${box('in group, left', 0, 902)}</p:grpSp>`
    const read = await readPptx([
      [
        box('right, lower', 150, 70),
        group,
        box('right, upper', 150, 50),
        box('left, all the height', 10, 50, 100, 40),
        titled('Title'),
        box('below', 10, 130),
        box('above', 10, 30, 250),
      ].join(''),
    ])
    expect(texts(read)).toEqual([
      'Title',
      'above',
      'left, all the height',
      'right, upper',
      'right, lower',
      'in group, left',
      'in group, right',
      'below',
    ])
  })

  it('inherit positions and bullets of placeholders from layout and master, without their prompts', async () => {
    const levels =
      paragraph(run('first')) +
      paragraph(run('second'), '<a:pPr lvl="1"/>') +
      paragraph(run('plain'), bullet(0, '<a:buNone/>'))
    const read = await readPptx([box('at the foot', 10, 150) + textShape(levels, '<p:ph idx="1"/>') + titled('T')])
    expect(texts(read)).toEqual(['T', '- first\n  - second\nplain', 'at the foot'])
  })

  it('number paragraphs as they are shown', async () => {
    const items = [
      [0, numbered('arabicPeriod', 'startAt="3"'), 'three'],
      [1, numbered('alphaLcParenR'), 'a'],
      [1, numbered('alphaLcParenR'), 'b'],
      [0, numbered('arabicPeriod', 'startAt="3"'), 'four'],
      [1, numbered('alphaLcParenR'), 'again a'],
      [0, '<a:buNone/>', 'between'],
      [0, numbered('romanUcPeriod'), 'one'],
      [0, numbered('arabicParenBoth'), 'one, too'],
    ] as const
    const body = items.map(([level, kind, text]) => paragraph(run(text), bullet(level, kind))).join('')
    expect(texts(await readPptx([textShape(body)]))[1]).toBe(
      '3. three\n  a) a\n  b) b\n4. four\n  a) again a\nbetween\nI. one\n(1) one, too',
    )
  })

  it('keep the address of links, once for the runs of a link', async () => {
    const body = paragraph(
      `${run('See ')}${linked('the ', 'r1')}${linked('map', 'r1')}${run(', ')}${linked('www.example.org', 'r2')}${run(' and ')}${linked('next slide', 'r3')}`,
    )
    const shape = box('whole shape', 0, 150).replace('name="Box"/>', 'name="Box"><a:hlinkClick r:id="r1"/></p:cNvPr>')
    const read = await readPptx([
      {
        body: textShape(body) + shape,
        relations:
          link('r1', 'https://example.org/map') +
          link('r2', 'https://www.example.org/') +
          relation('r3', 'slide', 'slide1.xml'),
      },
    ])
    expect(texts(read).slice(1)).toEqual([
      'whole shape (https://example.org/map)',
      'See the map (https://example.org/map), www.example.org and next slide',
    ])
  })

  it('have tables with merged cells filled', async () => {
    const rows = [
      [slideCell('Plan', 'gridSpan="2"'), slideCell('', 'hMerge="1"'), slideCell('Note')],
      [slideCell('2023'), slideCell('2024'), slideCell('all | some', 'rowSpan="2"')],
      [slideCell('1'), slideCell('2'), slideCell('', 'vMerge="1"')],
    ]
    expect(blocksOf(await readPptx([titled('T') + slideTable(rows, [0, 0])]))).toEqual([
      'heading1: T',
      'table: | Plan | Plan | Note |\n| --- | --- | --- |\n| 2023 | 2024 | all \\| some |\n| 1 | 2 | all \\| some |',
    ])
  })

  it('have descriptions of pictures, equations, and text of diagrams; the rest is noted', async () => {
    const pic = (more: string, media = '') =>
      `<p:pic><p:nvPicPr>${named('1', more)}<p:nvPr>${media}</p:nvPr></p:nvPicPr><p:blipFill/></p:pic>`
    const frame = (inner: string) =>
      `<p:graphicFrame><a:graphic><a:graphicData>${inner}</a:graphicData></a:graphic></p:graphicFrame>`
    const variants = (choice: string, fallback: string) =>
      `<mc:AlternateContent xmlns:mc="m"><mc:Choice Requires="x">${choice}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`
    const math = '<a14:m xmlns:a14="x"><m:oMath xmlns:m="m"><m:r><m:t>E=m</m:t></m:r></m:oMath></a14:m>'
    const read = await readPptx(
      [
        {
          body: [
            pic('descr="Map of the orchard"'),
            pic('descr="photo.png"'),
            pic('', '<a:videoFile r:link="r9"/>'),
            frame('<c:chart xmlns:c="c" r:id="r8"/>'),
            frame(variants('<p:oleObj/>', `<p:oleObj>${pic('')}</p:oleObj>`)),
            frame('<dgm:relIds xmlns:dgm="d" r:dm="rD"/>'),
            textShape(paragraph(variants(math, run('fallback')))),
          ].join(''),
          relations: relation('rD', 'diagramData', '../diagrams/data1.xml'),
        },
      ],
      {
        'ppt/diagrams/data1.xml':
          '<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:ptLst><dgm:pt modelId="1"><dgm:t><a:p><a:r><a:t>Plant</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>',
      },
    )
    expect(texts(read)).toEqual(['Slide 1', '[Picture: Map of the orchard]', '- Plant', 'E=m'])
    expect(noteMessages(read)).toEqual([
      'content_not_read: 1 picture without a description was not read.',
      'content_not_read: 1 video or sound was not read.',
      'content_not_read: 1 chart was not read.',
      'content_not_read: 1 embedded object was not read.',
    ])
  })

  it('are followed by their notes and comments; footers and texts of layouts come once at the end', async () => {
    const footer = textShape(paragraph(run('Orchard Ltd')), '<p:ph type="ftr" idx="11"/>')
    const number = textShape(paragraph('<a:fld type="slidenum"><a:t>1</a:t></a:fld>'), '<p:ph type="sldNum" idx="12"/>')
    const slide = { body: titled('T') + footer + number, notes: paragraph(run('Say hello.')) + paragraph(run('Wait.')) }
    const read = await readPptx(
      [
        {
          ...slide,
          relations:
            relation('rC', 'comments', '../comments/comment1.xml') +
            relation('rC2', 'comments', '../comments/modern.xml'),
        },
        slide,
      ],
      {
        'ppt/_rels/presentation.xml.rels': relationsPart(
          relation('rId1', 'slide', 'slides/slide1.xml'),
          relation('rId2', 'slide', 'slides/slide2.xml'),
          relation('rA', 'commentAuthors', 'commentAuthors.xml'),
        ),
        'ppt/commentAuthors.xml': '<p:cmAuthorLst xmlns:p="p"><p:cmAuthor id="0" name="Ann"/></p:cmAuthorLst>',
        'ppt/comments/comment1.xml': '<p:cmLst xmlns:p="p"><p:cm authorId="0"><p:text>Larger</p:text></p:cm></p:cmLst>',
        'ppt/comments/modern.xml':
          '<p:cmLst xmlns:p="p" xmlns:a="a"><p:cm authorId="9"><p:replyLst><p:reply authorId="0"><p:txBody><a:p><a:r><a:t>Done</a:t></a:r></a:p></p:txBody></p:reply></p:replyLst><p:txBody><a:p><a:r><a:t>Smaller</a:t></a:r></a:p></p:txBody></p:cm></p:cmLst>',
        'ppt/slideLayouts/slideLayout1.xml': shapesPart('sldLayout', textShape(paragraph(run('Confidential')))),
      },
    )
    expect(texts(read)).toEqual([
      'T',
      'Notes: Say hello.\nWait.',
      'Comment by Ann: Larger',
      'Comment by Ann: Done',
      'Comment: Smaller',
      'T',
      'Notes: Say hello.\nWait.',
      'Footer: Orchard Ltd',
      'Layout: Confidential',
    ])
  })

  it('are read when they are hidden, with a note; missing ones are noted', async () => {
    const hidden = box('hidden shape', 0, 0).replace('name="Box"', 'name="Box" hidden="1"')
    const read = await readPptx([titled('one'), 'x', titled('three') + hidden], {
      'ppt/slides/slide1.xml': shapesPart('sld', titled('one'), 'show="0"'),
      'ppt/_rels/presentation.xml.rels': relationsPart(
        relation('rId1', 'slide', 'slides/slide1.xml'),
        relation('rId2', 'slide', 'slides/gone.xml'),
        relation('rId3', 'slide', 'slides/slide3.xml'),
      ),
    })
    expect(texts(read)).toEqual(['one', 'three', 'hidden shape'])
    expect(read.events.filter(({ event }) => event === 'note')).toEqual([
      { event: 'note', code: 'text_hidden', message: 'Slide 1 is hidden; its text was read.', at: { page: 1 } },
      { event: 'note', code: 'page_unreadable', message: 'Slide 2 is missing in the file.', at: { page: 2 } },
      {
        event: 'note',
        code: 'text_hidden',
        message: 'Slide 3 has hidden shapes; their text was read.',
        at: { page: 3 },
      },
    ])
  })
})

describe('a presentation', () => {
  it('fails with no_text without text, and with damaged without slides', async () => {
    expect((await readPptx([textShape('')])).failure).toBe('no_text')
    const gone = relationsPart(relation('rId1', 'slide', 'slides/gone.xml'))
    expect((await readPptx([titled('x')], { 'ppt/_rels/presentation.xml.rels': gone })).failure).toBe('damaged')
  })

  it('resumes at the number of a block', async () => {
    const slides = ['one', 'two', 'three'].map((text) => ({ body: titled(text) + box(`text of ${text}`, 0, 50) }))
    const { blocks } = await readFile('pptx', pptx(slides), { from: { seq: 3, page: 2 } })
    expect(blocks.map(({ seq, text }) => [seq, text])).toEqual([
      [3, 'text of two'],
      [4, 'three'],
      [5, 'text of three'],
    ])
  })

  it('is read if its relations are not valid addresses', async () => {
    const slide = { body: titled('x'), relations: relation('r5', 'image', 'http://[') }
    expect(texts(await readPptx([slide]))).toEqual(['x'])
  })

  it('may be a slide show or a template with macros', async () => {
    const types = (type: string) =>
      xml(`<Types><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.${type}.main+xml"/></Types>`)
    for (const type of [
      'ms-powerpoint.presentation.macroEnabled',
      'openxmlformats-officedocument.presentationml.slideshow',
    ])
      expect(texts(await readPptx([titled('x')], { '[Content_Types].xml': types(type) }))).toEqual(['x'])
  })
})
