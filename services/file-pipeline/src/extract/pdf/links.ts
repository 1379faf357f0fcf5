import type { ToShown } from './coordinates.ts'
import type { Box } from './drawings.ts'
import type { Handle, PdfDocument } from './pdfium.ts'

/** A link to an address outside the file. */
export type Link = { readonly box: Box; readonly address: string }

const maxLinks = 2_000
const maxAddress = 2_000
const uriAction = 3
/** A longer address keeps only its path: the rest of it names a reader or a visit. */
const longAddress = 200
const isAddress = /^(?:https?:\/\/|mailto:)\S+$/i

/** Reads links to addresses; those to pages of the file have none. */
export const readLinks = ({ pdfium, handle, scratch, bytes }: PdfDocument, page: Handle, shown: ToShown): Link[] => {
  const links: Link[] = []
  const [position, found] = [scratch, scratch + 4]
  pdfium.HEAP32[position >> 2] = 0
  while (links.length < maxLinks && pdfium._FPDFLink_Enumerate(page, position, found) === 1) {
    const link = pdfium.HEAP32[found >> 2] as Handle
    const action = pdfium._FPDFLink_GetAction(link)
    if (action === 0 || pdfium._FPDFAction_GetType(action) !== uriAction) continue
    const address = bytes((buffer, length) => pdfium._FPDFAction_GetURIPath(handle, action, buffer, length))
      .toString('utf8')
      .replace(/\0$/, '')
    if (address.length > maxAddress || !isAddress.test(address)) continue
    if (pdfium._FPDFLink_GetAnnotRect(link, scratch + 16) === 0) continue
    const [left = 0, top = 0, right = 0, bottom = 0] = pdfium.HEAPF32.subarray((scratch + 16) >> 2, (scratch + 32) >> 2)
    const [ax, ay] = shown(left, top)
    const [bx, by] = shown(right, bottom)
    const box = { x0: Math.min(ax, bx), y0: Math.min(ay, by), x1: Math.max(ax, bx), y1: Math.max(ay, by) }
    links.push({ box, address: address.length > longAddress ? address.replace(/[?#].*$/s, '') : address })
  }
  return links
}
