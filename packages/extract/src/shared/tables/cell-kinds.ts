const currency = String.raw`(?:\p{Sc}|[A-Z]{1,2}\$|Kč|zł|kr\.?|Ft|EUR|USD|GBP|CHF|CZK|PLN|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|HUF|RUB|BRL)`
const number = new RegExp(
  String.raw`^[-+−(]{0,2}\s*(?:${currency}\s*)?[-+−]?\.?\d[\d.,'’ \u00a0\u202f]*(?:[eE][-+]?\d+)?\s*(?:[%‰°kKMB]|${currency})?\s*\)?$`,
  'u',
)
const date = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ,].*)?$/
const clock = /^\d{1,3}:\d{2}(?::\d{2})?(?:\.\d+)?(?:\s*[ap]m)?$/i
const mark = /^(?:true|false|null|none|nan|n\/?a|n\.a\.|-+|–|—|#(?:N\/A|DIV\/0!|REF!|VALUE!|NAME\?|NUM!|NULL!))$/i
const year = /^(?:19|20)\d\d$/
const code = /^(?=.*\d)[\p{L}\p{N}_./#:@-]{1,40}$/u

/** UTF-16 units; longer cells are text. */
const units = 80

/**
 * `data`: number, date, time or truth value. `mark`: stands for a missing value, so it fits any column. `code`: one
 * word with digits. `address`: e-mail or web address.
 */
export type CellKind = 'data' | 'mark' | 'code' | 'address' | 'text'

export const isYear = (text: string): boolean => year.test(text.slice(0, units).trim())
const isDate = (text: string): boolean => date.test(text.slice(0, units).trim())

export const kindOf = (cell: string): CellKind => {
  const text = cell.slice(0, units).trim()
  if (cell.length > units) return 'text'
  if (/^(?:true|false)$/i.test(text)) return 'data'
  if (text === '' || mark.test(text)) return 'mark'
  if (number.test(text) || isDate(text) || clock.test(text)) return 'data'
  if (/^\S+@\S+\.\S+$|^(?:https?:\/\/|www\.)\S+$/.test(text)) return 'address'
  return code.test(text) ? 'code' : 'text'
}

export const isData = (cell: string): boolean => kindOf(cell) === 'data'
export const isText = (cell: string): boolean => kindOf(cell) === 'text'

export const isNameOfData = (cell: string): boolean => isYear(cell) || isDate(cell)

/** Column names share one style; values of different columns often have several. */
export type CellStyle = 'lower' | 'capital' | 'upper' | 'other'

export const styleOf = (cell: string): CellStyle => {
  const text = cell.slice(0, units)
  const letters = text.match(/\p{L}/gu) ?? []
  const [first = ''] = letters
  if (first.toLowerCase() === first.toUpperCase()) return 'other'
  if (letters.length > 1 && letters.every((letter) => letter !== letter.toLowerCase())) return 'upper'
  return first === first.toLowerCase() ? 'lower' : 'capital'
}

/** Names of columns and fields in tables of many subjects. */
const words = new Set(
  `id no nr number code key name title label kind type category class group status state active date day month year
  time timestamp ts start end from to due created updated modified price cost amount total sum count quantity qty units unit rate
  percent share value values size weight height length width color colour description desc remark remarks note notes comment
  comments text message subject body content payload question answer term definition source url link path file filename email e-mail mail
  phone telephone tel mobile fax address street city town zip postcode country region language currency
  owner author user username member members customer client supplier vendor company organization department team manager
  contact person gender sex age born birthday role position job salary product item article sku model brand version
  category tags tag score rank grade result field property attribute parameter setting option default required event
  action task priority project version latitude longitude lat lon tool material species fruit animal plant
  datum tag monat jahr preis menge anzahl betrag einheit bezeichnung beschreibung bemerkung straße ort plz land größe farbe
  nachname vorname telefon kunde artikel nummer wert
  nom prénom prix quantité ville adresse pays montant libellé désignation référence
  nombre fecha precio cantidad ciudad dirección país importe descripción
  jméno příjmení název cena množství počet datum město adresa telefon popis poznámka`.split(/\s+/),
)

/** Such as `Order date` or `unit_price`. */
export const isColumnWord = (cell: string): boolean => {
  if (cell.length > 40) return false
  const parts = cell
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[\s_.:()/#]+/)
    .filter(Boolean)
  if (parts.length === 0 || parts.length > 4) return false
  return words.has(parts[0] as string) || words.has(parts.at(-1) as string)
}
