import {
  pptxEntries,
  relation,
  run,
  type Slide,
  slideCell,
  slideParagraph,
  slideTable,
  textShape,
} from './create-pptx.ts'
import type { Mutations } from './mutation.ts'
import { withPart } from './zip-reader.ts'
import { escapeXml, zip } from './zip-writer.ts'

const said = (text: string, placeholder = ''): string => textShape(slideParagraph(run(text)), placeholder)
const deck = (...slides: Slide[]): Buffer => zip(pptxEntries(slides, 'deck'))

export const pptxMutations: Mutations = {
  'external-links': ({ canaryFile, canaryUrl }) => {
    const picture = (id: string) =>
      `<p:pic><p:nvPicPr><p:cNvPr id="1" name="p"/></p:nvPicPr><p:blipFill><a:blip r:link="${id}" r:embed="${id}"/></p:blipFill></p:pic>`
    const external = (id: string, type: string, target: string) => relation(id, type, target, 'TargetMode="External"')
    return deck({
      body: said('kept text') + picture('rX1') + picture('rX2'),
      relations: [
        external('rX1', 'image', `file://${canaryFile}`),
        external('rX2', 'image', canaryUrl),
        external('rX3', 'slideLayout', canaryUrl),
        external('rX4', 'notesSlide', `file://${canaryFile}`),
        external('rX5', 'video', canaryUrl),
      ].join(''),
    })
  },
  'part-outside': ({ canaryFile }) =>
    deck({
      body: said('kept text'),
      relations: relation('rX1', 'notesSlide', escapeXml(`../../../../../..${canaryFile}`)),
    }),
  'no-text': () => deck({ body: said('') }, { body: said('', '<p:ph type="title"/>') }),
  'groups-in-groups': () => deck({ body: `${'<p:grpSp>'.repeat(5_000)}${said('deep')}${'</p:grpSp>'.repeat(5_000)}` }),
  'groups-within-limits': () => deck({ body: `${'<p:grpSp>'.repeat(200)}${said('deep')}${'</p:grpSp>'.repeat(200)}` }),
  'many-shapes': () => deck({ body: said('many').repeat(100_000) }),
  'many-runs': () => deck({ body: textShape(slideParagraph(run('r').repeat(300_000))) }),
  'wide-span': () =>
    deck({
      body: slideTable(
        Array.from({ length: 300 }, () => [slideCell('wide', 'gridSpan="2147483647" rowSpan="2147483647"')]),
        [0, 0],
      ),
    }),
  'table-that-grows': () =>
    deck({
      body: slideTable(
        Array.from({ length: 500 }, () => [slideCell('grows '.repeat(500), 'gridSpan="500" rowSpan="500"')]),
        [0, 0],
      ),
    }),
  'places-out-of-space': () =>
    deck({
      body: ['-1', '1e308', 'NaN', '', '99999999999999999999']
        .map((place) =>
          said('somewhere').replace(
            '<p:spPr>',
            `<p:spPr><a:xfrm><a:off x="${place}" y="${place}"/><a:ext cx="${place}" cy="-5"/></a:xfrm>`,
          ),
        )
        .join(''),
    }),
  'levels-without-end': () =>
    deck({
      body: textShape(
        ['-1', '99999999999', '__proto__', 'x']
          .map((level) =>
            slideParagraph(
              run('level'),
              `<a:pPr lvl="${level}"><a:buAutoNum type="__proto__" startAt="${level}"/></a:pPr>`,
            ),
          )
          .join(''),
      ),
    }),
  'one-slide-many-times': ({ bytes }) =>
    withPart(bytes, 'ppt/presentation.xml', (text) => text.replace(/(<p:sldId [^>]*\/>)/, (id) => id.repeat(100_000))),
  'layout-of-itself': ({ bytes }) =>
    withPart(bytes, 'ppt/slideLayouts/_rels/slideLayout1.xml.rels', (text) =>
      text.replace('../slideMasters/slideMaster1.xml', 'slideLayout1.xml'),
    ),
  'notes-of-itself': () => deck({ body: said('kept text'), relations: relation('rX1', 'notesSlide', 'slide1.xml') }),
}
