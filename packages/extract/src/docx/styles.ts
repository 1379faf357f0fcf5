import { readSmallXml } from '../shared/office-part.ts'
import type { CheckedZip } from '../shared/zip-check.ts'

type Style = { name: string; basedOn?: string; outline?: number; numId?: string; ilvl?: string }

/** Includes inherited properties. */
export type ParagraphStyle = {
  readonly heading?: number
  readonly numId?: string
  /** The style and its base styles, up to the one that refers to the list, with their list levels. */
  readonly levels: readonly { readonly id: string; readonly ilvl?: string }[]
}

const maxChain = 32
const maxNameUnits = 200
/** Headings have 0 to 8. */
export const bodyLevel = 9

/** Word writes English names in any language; other programs and templates do not. */
const headingName =
  /^(?:heading|überschrift|titre|título|titulo|titolo|rubrik|overskrift|otsikko|kop|nagłówek|nadpis|заголовок|başlık|标题|標題|見出し|제목|címsor|naslov|επικεφαλίδα|כותרת|عنوان|titlu|antraštė|virsraksts|pealkiri|заглавие)[ \u00a0]?([1-9])\b/iu
const titleName = /^(?:title|titel|titre|título|titolo|tytuł|название|表題|제목|标题)$/iu
const subtitleName = /^(?:subtitle|untertitel|sous-titre|subtítulo|sottotitolo|подзаголовок)$/iu

const namedHeading = (name: string): number | undefined => {
  const level = headingName.exec(name)?.[1]
  if (level) return Number(level)
  return titleName.test(name) ? 1 : subtitleName.test(name) ? 2 : undefined
}

export const readStyles = async (
  zip: CheckedZip,
  part: string,
  maxBytes: number,
): Promise<(id: string) => ParagraphStyle> => {
  const styles = new Map<string, Style>()
  let style: Style | undefined
  let conditional = 0
  await readSmallXml(
    zip,
    part,
    {
      open(name, attribute) {
        if (name === 'tblStylePr') conditional++
        if (name === 'style') {
          style = { name: '' }
          const id = attribute('styleId')
          if (id !== undefined && !styles.has(id)) styles.set(id, style)
        }
        const value = attribute('val')
        if (!style || conditional > 0 || value === undefined) return
        if (name === 'name') style.name = value.slice(0, maxNameUnits)
        else if (name === 'basedOn') style.basedOn = value
        else if (name === 'outlineLvl') style.outline = Number(value)
        else if (name === 'numId') style.numId = value
        else if (name === 'ilvl') style.ilvl = value
      },
      close(name) {
        if (name === 'tblStylePr') conditional--
        if (name === 'style') style = undefined
      },
    },
    maxBytes,
  )

  const resolve = (id: string): ParagraphStyle => {
    const levels: { id: string; ilvl?: string }[] = []
    const passed = new Set<string>()
    let heading: number | undefined
    let numId: string | undefined
    for (let at: string | undefined = id; at !== undefined && !passed.has(at) && passed.size < maxChain; ) {
      passed.add(at)
      const found: Style = styles.get(at) ?? { name: at }
      heading ??= namedHeading(found.name) ?? (found.outline === undefined ? undefined : found.outline + 1)
      if (numId === undefined) levels.push({ id: at, ...(found.ilvl === undefined ? {} : { ilvl: found.ilvl }) })
      numId ??= found.numId
      at = found.basedOn
    }
    return {
      levels,
      ...(heading !== undefined && heading <= bodyLevel ? { heading } : {}),
      ...(numId === undefined ? {} : { numId }),
    }
  }
  const resolved = new Map<string, ParagraphStyle>()
  return (id) => {
    const style = resolved.get(id) ?? resolve(id)
    if (styles.has(id)) resolved.set(id, style)
    return style
  }
}
