import { xmlScan } from '../../shared/xml-scan.ts'
import type { PdfDocument } from './pdfium.ts'

/** The pages are generated from XFA; the only PDF page asks for another program. */
const fullXfa = 2
const maxPackets = 100
const maxValues = 5_000

/** Values of a form whose data exists only in XFA. */
export const xfaTexts = ({ pdfium, handle, bytes, scratch }: PdfDocument): readonly string[] => {
  if (pdfium._FPDF_GetFormType(handle) !== fullXfa) return []
  const count = Math.min(maxPackets, pdfium._FPDF_GetXFAPacketCount(handle))
  for (let index = 0; index < count; index += 1) {
    const name = bytes((buffer, length) => pdfium._FPDF_GetXFAPacketName(handle, index, buffer, length)).toString(
      'latin1',
    )
    if (name.replace(/\0$/, '') !== 'datasets') continue
    return valuesOf(
      bytes((buffer, length) => {
        pdfium._FPDF_GetXFAPacketContent(handle, index, buffer, length, scratch)
        return pdfium.HEAP32[scratch >> 2] as number
      }).toString('utf8'),
    )
  }
  return []
}

/** Text of each element without child elements, after its name. */
export const valuesOf = (xml: string): string[] => {
  const values: string[] = []
  let text = ''
  let isLeaf = false
  const scan = xmlScan({
    open() {
      text = ''
      isLeaf = true
    },
    text(part) {
      text += part
    },
    close(name) {
      const value = text.trim()
      if (isLeaf && value !== '' && values.length < maxValues) values.push(`${name}: ${value}`)
      isLeaf = false
      text = ''
    },
  })
  scan.write(xml)
  scan.end()
  return values
}
