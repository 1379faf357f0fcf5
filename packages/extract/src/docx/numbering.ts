import { oneLine } from '../shared/clean-text.ts'
import { formatListNumber } from '../shared/number-format.ts'
import { readSmallXml } from '../shared/office-part.ts'
import type { CheckedZip } from '../shared/zip-check.ts'
import { isOn } from './is-on.ts'
import type { ParagraphStyle } from './styles.ts'

type Level = {
  start: number
  format: string
  digits: number
  text?: string
  restart?: number
  legal: boolean
  style?: string
  isWingdings?: boolean
}
type Abstract = { readonly levels: Level[]; link?: string }
type Override = { start?: number; level?: Level }
type Num = { abstract: string; readonly overrides: Override[] }

export type ParagraphNumber = { readonly numId?: string | undefined; readonly ilvl?: string | undefined }
/** As Word shows it; `-` for a bullet, the sign itself for a check box. */
export type Label = { readonly text: string; readonly level: number }
export type Numbering = (own: ParagraphNumber, style: ParagraphStyle | undefined) => Label | undefined

const maxLevels = 9
const maxLabelUnits = 100
const maxNumber = 1_000_000

const levelAt = (value: string | undefined): number => Math.max(0, Math.min(maxLevels - 1, Number(value) || 0))
const count = (value: string | undefined): number =>
  Math.max(0, Math.min(maxNumber, Number.parseInt(value ?? '', 10) || 0))

const readDefinitions = async (zip: CheckedZip, part: string, maxBytes: number) => {
  const abstracts = new Map<string, Abstract>()
  const nums = new Map<string, Num>()
  let abstract: Abstract | undefined
  let num: Num | undefined
  let override: Override | undefined
  let level: Level | undefined
  await readSmallXml(
    zip,
    part,
    {
      open(name, attribute) {
        const value = attribute('val')
        if (name === 'abstractNum') {
          abstract = { levels: [] }
          abstracts.set(attribute('abstractNumId') ?? '', abstract)
        } else if (name === 'num') {
          num = { abstract: '', overrides: [] }
          nums.set(attribute('numId') ?? '', num)
        } else if (name === 'lvlOverride' && num) {
          override = {}
          num.overrides[levelAt(attribute('ilvl'))] = override
        } else if (name === 'lvl') {
          level = { start: 1, format: 'decimal', digits: 0, legal: false }
          if (override) override.level = level
          else if (abstract) abstract.levels[levelAt(attribute('ilvl'))] = level
        } else if (name === 'abstractNumId' && num) num.abstract = value ?? ''
        else if (name === 'startOverride' && override) override.start = count(value)
        else if (name === 'numStyleLink' && abstract && value !== undefined) abstract.link = value
        else if (!level) return
        else if (name === 'start') level.start = count(value)
        else if (name === 'numFmt') {
          level.format = value ?? 'decimal'
          // The format "001, 002, …" is followed by a simpler one for older programs.
          const zeros = /^0+1(?=,|$)/.exec(attribute('format') ?? '')?.[0]
          if (zeros) level.digits = zeros.length
        } else if (name === 'lvlText') level.text = (value ?? '').slice(0, maxLabelUnits)
        else if (name === 'lvlRestart') level.restart = count(value)
        else if (name === 'isLgl') level.legal = isOn(value)
        else if (name === 'pStyle' && value !== undefined) level.style = value
        else if (name === 'rFonts') level.isWingdings = attribute('ascii') === 'Wingdings'
      },
      close(name) {
        if (name === 'abstractNum') abstract = undefined
        else if (name === 'num') num = undefined
        else if (name === 'lvlOverride') override = undefined
        else if (name === 'lvl') level = undefined
      },
    },
    maxBytes,
  )
  return { abstracts, nums }
}

/** Legal numbering does not replace these with plain digits: `Section 1.01`. */
const legalFormats = new Set(['none', 'decimalZero'])

const shown = (value: number, level: Level, legal: boolean): string => {
  const text = legal && !legalFormats.has(level.format) ? String(value) : formatListNumber(value, level.format)
  return text.padStart(text === '' ? 0 : level.digits, '0')
}

const boxes = new Set(['☐', '☑', '☒', '✓', '✔', '✗', '✘'])
const wingdingBoxes = new Map([
  ['\uf06f', '☐'],
  ['\uf0a8', '☐'],
  ['\uf0fb', '✗'],
  ['\uf0fc', '✓'],
  ['\uf0fd', '☒'],
  ['\uf0fe', '☑'],
])

const bullet = ({ text = '', isWingdings }: Level): string => {
  const sign = text.trim()
  if (boxes.has(sign)) return sign
  return (isWingdings && wingdingBoxes.get(sign)) || (sign === '' && text !== '' ? '' : '-')
}

/** Returns the level linked to the style or stated by it; the nearest style in the inheritance chain wins. */
const levelOfStyle = (style: ParagraphStyle | undefined, level: (at: number) => Level | undefined): number => {
  for (const { id, ilvl } of style?.levels ?? []) {
    const linked = Array.from({ length: maxLevels }, (_, index) => level(index)?.style).indexOf(id)
    if (linked >= 0) return linked
    if (ilvl !== undefined) return levelAt(ilvl)
  }
  return 0
}

/**
 * Returns a function that labels paragraphs. It counts: call it for each paragraph in the document's order. Lists of
 * one definition share their counters, so a list continues after other text until one with its own start number begins.
 */
export const readNumbering = async (
  zip: CheckedZip,
  part: string,
  styleOf: (id: string) => ParagraphStyle,
  maxBytes: number,
): Promise<Numbering> => {
  const { abstracts, nums } = await readDefinitions(zip, part, maxBytes)
  const counters = new Map<string, (number | undefined)[]>()
  const begun = new Set<string>()

  /** A list style refers to the list that defines the levels. */
  const abstractOf = (numId: string): string | undefined => {
    let id = nums.get(numId)?.abstract
    for (let links = 0; links < maxLevels && id !== undefined; links++) {
      const link = abstracts.get(id)?.link
      const linked = link === undefined ? undefined : styleOf(link).numId
      if (linked === undefined) return id
      id = nums.get(linked)?.abstract
    }
    return undefined
  }

  return (own, style) => {
    const numId = own.numId ?? style?.numId
    const num = numId === undefined ? undefined : nums.get(numId)
    const id = numId === undefined ? undefined : abstractOf(numId)
    const abstract = id === undefined ? undefined : abstracts.get(id)
    if (numId === undefined || !num || id === undefined || !abstract) return undefined
    const level = (at: number): Level | undefined => num.overrides[at]?.level ?? abstract.levels[at]
    const start = (at: number): number => num.overrides[at]?.start ?? level(at)?.start ?? 1
    const at = own.ilvl === undefined ? levelOfStyle(style, level) : levelAt(own.ilvl)
    const current = level(at)
    if (!current) return undefined
    const values = counters.get(id) ?? []
    counters.set(id, values)
    const first = `${numId} ${at}`
    const restarts = num.overrides[at]?.start !== undefined && !begun.has(first)
    begun.add(first)
    // Shallower levels without an item start with this item, so the next item there is the second.
    for (let above = 0; above < at; above++) values[above] ??= start(above)
    const before = values[at]
    values[at] = before === undefined || restarts ? start(at) : Math.min(maxNumber, before + 1)
    for (let deeper = at + 1; deeper < maxLevels; deeper++) {
      // By default a level restarts after each shallower level; 0 means never, another number means after that level.
      const after = level(deeper)?.restart ?? deeper
      if (at < after) values[deeper] = undefined
    }

    if (current.format === 'bullet') return { text: bullet(current), level: at }
    const text = (current.text ?? `%${at + 1}.`).replace(/%([1-9])/g, (_, digit: string) => {
      const of = Number(digit) - 1
      const its = level(of)
      return its && its.format !== 'bullet' ? shown(values[of] ?? start(of), its, current.legal) : ''
    })
    const label = oneLine(text).slice(0, maxLabelUnits)
    return label === '' ? undefined : { text: label, level: at }
  }
}
