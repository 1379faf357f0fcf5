import { type Random, seededRandom } from '@cairn/testing/seeded-random'
import type { Header, Look } from './kinds.ts'
import { type Language, languages } from './labels.ts'

/** The expected text of a row: its label and its values, from left to right. */
export type Row = { readonly label: string; readonly values: readonly string[] }

/** A statement as an HTML page. Elements of the class `dots` are filled with dots before printing. */
export type Statement = {
  readonly html: string
  /** Page width in inches. */
  readonly width: number
  readonly height: number
  readonly rows: readonly Row[]
}

type Numbers = {
  readonly thousands: string
  readonly decimal: string
  readonly zero: string
  readonly negative: 'parentheses' | 'minus'
}
/** A value in parts, each of which may have its own column. */
type Value = { readonly sign: string; readonly number: string; readonly closing: string }
type Line = {
  readonly label: string
  readonly kind: 'section' | 'row' | 'total'
  readonly values: readonly Value[]
  readonly note: string
  readonly unit: string
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const amount = (
  random: Random,
  { thousands, decimal, zero, negative }: Numbers,
  sign: string,
  largest: number,
): Value => {
  if (random.chance(0.07)) return { sign, number: zero, closing: '' }
  const whole = String(Math.floor(10 ** (1 + random.next() * largest))).replace(/\B(?=(\d{3})+$)/g, thousands)
  const digits = random.chance(0.1) ? `${whole}${decimal}${random.below(90) + 10}` : whole
  if (!random.chance(0.25)) return { sign, number: digits, closing: '' }
  return negative === 'minus'
    ? { sign, number: `-${digits}`, closing: '' }
    : { sign, number: `(${digits}`, closing: ')' }
}

const share = (random: Random, { decimal }: Numbers): Value => {
  const number = `${random.below(90)}${random.chance(0.6) ? `${decimal}${random.below(10)}` : ''}`
  return random.chance(0.2) ? { sign: '', number: `(${number}`, closing: ')%' } : { sign: '', number, closing: '%' }
}

type Style = Required<Pick<Look, 'columns' | 'header' | 'sign' | 'ownClosing'>> & {
  readonly look: Look
  readonly currency: string
  readonly gap: number
  readonly numbers: Numbers
  readonly largest: number
}

const linesOf = (
  random: Random,
  language: Language,
  labels: readonly string[],
  { look, columns, numbers, currency, largest }: Style,
): Line[] => {
  const wrapped = random.shuffle(language.wrapped)
  return labels.map((label, index) => {
    const isSection = label.endsWith(':') || (label === label.toUpperCase() && label.length > 4)
    if (isSection) return { label, kind: 'section', values: [], note: '', unit: '' }
    const isTotal = label.startsWith('=')
    const long = !isTotal && random.chance(look.wrapped ?? 0.04) ? wrapped.pop() : undefined
    // Currency signs are printed on the first lines and on totals, as is usual.
    const sign = isTotal || index < 3 ? currency : ''
    const isShare = (column: number) => look.percent === true && column === columns - 1
    const mark = look.footnotes && random.chance(0.3) ? `(${random.below(3) + 1})` : ''
    return {
      label: (long ?? label.replace('=', '')) + mark,
      kind: isTotal ? 'total' : 'row',
      values: Array.from({ length: columns }, (_, column) =>
        isShare(column) ? share(random, numbers) : amount(random, numbers, sign, largest),
      ),
      note: look.note && !isTotal && random.chance(0.5) ? String(random.below(30) + 1) : '',
      unit: look.unit ? random.pick(['t', 'GWh', 'm³', 'EUR m', 'kt CO2']) : '',
    }
  })
}

/** Returns the cells of a value: one cell, or one per part. */
const cellsOf = ({ sign, number, closing }: Value, { sign: place, ownClosing, gap }: Style): string => {
  const pad = `padding-left:${gap}pt`
  const shown = place === 'none' ? '' : sign
  const before = place === 'own' ? `<td class="sign" style="${pad}">${shown}</td>` : ''
  const within = place === 'within' && shown ? `${shown} ` : ''
  const own = ownClosing && closing
  const after = ownClosing ? `<td class="closing">${closing}</td>` : ''
  return `${before}<td class="number" style="${before ? 'padding-left:3pt' : pad}">${within}${number}${own ? '' : closing}</td>${after}`
}

const headerOf = (random: Random, language: Language, style: Style): string => {
  const { look, columns, header, sign, ownClosing, gap } = style
  const width = 1 + Number(sign === 'own') + Number(ownClosing)
  const lead = `<td></td>${look.note ? `<td class="note">${language.note}</td>` : ''}${look.unit ? `<td>${language.unit}</td>` : ''}`
  const empty = `<td></td>${look.note ? '<td></td>' : ''}${look.unit ? '<td></td>' : ''}`
  const names = Array.from({ length: columns }, (_, index) =>
    look.percent && index === columns - 1 ? '%' : (language.periods[index % language.periods.length] as string),
  )
  const cell = (text: string, span: number) =>
    `<td class="name" colspan="${span}" style="padding-left:${gap}pt">${escaped(text)}</td>`
  const last = `<tr>${lead}${names.map((name) => cell(name, width)).join('')}</tr>`
  const over = `<tr>${empty}${cell(language.over, width * columns)}</tr>`
  const half = Math.ceil(columns / 2)
  const [first, second] = random.pick([
    ['Group', 'Company'],
    ['Reported', 'Restated'],
    ['Actual', 'Budget'],
  ] as const)
  const groups = `<tr>${empty}${cell(first, width * half)}${columns > half ? cell(second, width * (columns - half)) : ''}</tr>`
  return { one: last, two: `${over}${last}`, three: `${over}${groups}${last}` }[header]
}

const tableOf = (random: Random, language: Language, title: string, lines: readonly Line[], style: Style): string => {
  const { look } = style
  const width = random.below(40) + 110
  const rows = lines.map(({ label, kind, values, note, unit }) => {
    const text = escaped(label).replace(/\((\d)\)$/, '<sup>($1)</sup>')
    const name =
      look.leaders && kind !== 'section'
        ? `<div class="led"><span>${text}</span><span class="dots"></span></div>`
        : text
    const extra = `${look.note ? `<td class="note">${note}</td>` : ''}${look.unit ? `<td class="unit">${unit}</td>` : ''}`
    return `<tr class="${kind}"><td class="label" style="${look.wrapped ? `max-width:${width}pt;width:${width}pt` : ''}"><div>${name}</div></td>${extra}${values.map((value) => cellsOf(value, style)).join('')}</tr>`
  })
  const header = headerOf(random, language, style)
  const isRepeated = random.chance(0.5)
  const top = isRepeated ? `<thead>${header}</thead>` : header
  return `<div class="part"><h2>${escaped(title)}</h2><table>${top}<tbody>${rows.join('')}</tbody></table></div>`
}

const rulesOf = (rules: NonNullable<Look['rules']>): string =>
  ({
    none: '',
    totals: '.total .number, .total .sign { border-top: 0.5pt solid #000; border-bottom: 1.5pt double #000 }',
    rows: 'tr { border-bottom: 0.4pt solid #888 }',
    boxes: 'table { border: 0.7pt solid #000 } .name { border-bottom: 0.7pt solid #000 }',
    grid: 'td { border: 0.5pt solid #000; padding-right: 3pt }',
    shades: 'tbody tr:nth-child(odd) { background: #e4ecf4 }',
  })[rules]

const numbersOf = (random: Random, isEnglish: boolean): Numbers => ({
  ...(isEnglish
    ? { thousands: ',', decimal: '.' }
    : random.pick([
        { thousands: '.', decimal: ',' },
        { thousands: '\u00a0', decimal: ',' },
        { thousands: '\u202f', decimal: ',' },
      ])),
  zero: random.pick(['—', '–', '-']),
  negative: isEnglish || random.chance(0.3) ? 'parentheses' : 'minus',
})

const headers: readonly Header[] = ['one', 'one', 'two']

/** Returns a statement with this layout, drawn from the seed. */
export const statementOf = (look: Look, seed: number): Statement => {
  const random = seededRandom(seed)
  const name = random.pick(look.languages ?? (['english'] as const))
  const language = languages[name]
  const columns = look.columns ?? random.pick([2, 2, 3])
  const isEnglish = name === 'english'
  const sign = look.sign ?? (isEnglish ? random.pick(['own', 'within', 'none'] as const) : 'none')
  const style: Style = {
    look,
    columns,
    sign,
    header: look.header ?? random.pick(headers),
    ownClosing: look.ownClosing ?? (isEnglish && random.chance(0.3)),
    currency: random.pick(isEnglish ? ['$', '$', '€', '£'] : ['€']),
    gap: look.gap ? look.gap[0] + random.below(look.gap[1] - look.gap[0] + 1) : random.below(20) + 12,
    numbers: numbersOf(random, isEnglish),
    largest: columns > 4 ? 4 : 6,
  }
  const [from, to] = look.size ?? [8, 11]
  const size = from + random.below((to - from) * 2 + 1) / 2
  const tables = Array.from({ length: look.tables ?? 1 }, () => {
    const statement = random.pick(language.statements)
    const labels = Array.from({ length: look.repeats ?? 1 }, () => statement.labels).flat()
    const lines = linesOf(random, language, labels, style)
    return { html: tableOf(random, language, statement.title, lines, style), lines }
  })
  const prose = () => `<p>${Array.from({ length: 3 }, () => random.pick(language.prose)).join(' ')}</p>`
  const notes = look.footnotes ? '<p class="foot">(1) Restated.<br>(2) Includes leases.<br>(3) Unaudited.</p>' : ''
  const css = `
    body { font: ${size}pt/${random.pick([1.15, 1.25, 1.4])} ${random.pick(['DejaVu Serif', 'DejaVu Sans', 'Liberation Serif, DejaVu Serif Condensed', 'Liberation Sans, DejaVu Sans Condensed'])}; margin: 0 }
    h2 { font-size: 1.2em } table { border-collapse: collapse; ${look.isWide || random.chance(0.5) ? 'width: 100%' : ''} }
    td { padding: 1.5pt 0; vertical-align: ${look.beside ?? random.pick(['top', 'bottom'])}; white-space: nowrap }
    .label { white-space: ${look.wrapped ? 'normal' : 'nowrap'}; ${look.leaders ? 'width: 60%; max-width: 0' : ''} }
    .label div { padding-left: ${random.pick([8, 10])}pt; text-indent: -${random.pick([8, 0])}pt } .label .led { padding: 0; text-indent: 0 }
    .row .label { padding-left: ${random.pick([0, 6])}pt } .total { font-weight: ${random.pick(['bold', 'normal'])} }
    .section { font-weight: bold } .number { text-align: right } .name { text-align: ${random.pick(['right', 'center'])}; font-weight: bold; ${look.rules === 'none' ? '' : 'border-bottom: 0.5pt solid #000'} }
    .note, .unit { padding-left: 14pt; text-align: ${random.pick(['left', 'center'])} } sup { font-size: 0.65em }
    .led { display: flex } .dots { flex: 1; width: 0; overflow: hidden; white-space: nowrap }
    .parts { ${look.side ? 'display: flex; gap: 40pt; align-items: flex-start' : ''} }
    ${rulesOf(look.rules ?? random.pick(['none', 'totals', 'rows']))}`
  return {
    html: `<!doctype html><meta charset="utf-8"><style>${css}</style>${prose()}<div class="parts">${tables.map(({ html }) => html).join(look.side ? '' : prose())}</div>${notes}${prose()}`,
    width: look.landscape ? 11.7 : 8.3,
    height: look.landscape ? 8.3 : 11.7,
    rows: tables.flatMap(({ lines }) =>
      lines.flatMap(({ label, kind, values, note, unit }) =>
        kind === 'section'
          ? []
          : [
              {
                label,
                values: [note, unit].filter(Boolean).concat(values.map(({ number, closing }) => number + closing)),
              },
            ],
      ),
    ),
  }
}
