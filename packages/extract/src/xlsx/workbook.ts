import { mainPart, readSmallXml, relationsOf, relationsPart } from '../shared/office-part.ts'
import type { CheckedZip } from '../shared/zip-check.ts'
import { unreadable } from '../unreadable.ts'

const maxSheets = 1000

export type Workbook = {
  readonly sheets: readonly { readonly name: string; readonly part: string; readonly isHidden: boolean }[]
  /** Sheets that the workbook lists but the file does not contain. */
  readonly missing: readonly string[]
  readonly date1904: boolean
  readonly strings?: string
  readonly styles?: string
}

export const readWorkbook = async (zip: CheckedZip): Promise<Workbook> => {
  const main = await mainPart(zip)
  if (!zip.entries.has(relationsPart(main)))
    throw unreadable('damaged', 'The part that says where the sheets are is missing.')
  const relations = await relationsOf(zip, main)
  const parts = new Map(
    relations.filter(({ type }) => /^(?:work|chart)sheet$/.test(type)).map(({ id, target }) => [id, target]),
  )
  const sheets: { name: string; part: string; isHidden: boolean }[] = []
  const missing: string[] = []
  let date1904 = false
  await readSmallXml(zip, main, {
    open(name, attribute) {
      if (name === 'workbookPr') date1904 = /^(?:1|true)$/.test(attribute('date1904') ?? '')
      const part = name === 'sheet' ? parts.get(attribute('r:id') ?? attribute('id') ?? '') : undefined
      if (part === undefined) return
      const title = (attribute('name') ?? '').slice(0, 200)
      if (sheets.length + missing.length >= maxSheets)
        throw unreadable('too_large_to_process', `The workbook has more than ${maxSheets} sheets.`)
      const isHidden = /hidden/i.test(attribute('state') ?? '')
      if (zip.entries.has(part)) sheets.push({ name: title, part, isHidden })
      else missing.push(title)
    },
  })
  const partOf = (kind: string) => relations.find(({ type }) => type === kind)?.target
  const [strings, styles] = [partOf('sharedStrings'), partOf('styles')]
  return { sheets, missing, date1904, ...(strings ? { strings } : {}), ...(styles ? { styles } : {}) }
}
