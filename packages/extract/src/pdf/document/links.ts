import { shownAddress } from '../../shared/link-address.ts'
import { type Box, boxAround } from '../characters/drawings.ts'
import type { ToShown } from './coordinates.ts'
import type { Handle, PdfDocument } from './pdfium.ts'

export type Link = { readonly box: Box; readonly address: string }

const maxLinks = 2_000
const uriAction = 3

/** Omits links to pages of the file. */
export const readLinks = (
  { pdfium, handle, scratch, floats, bytes }: PdfDocument,
  page: Handle,
  shown: ToShown,
): Link[] => {
  const links: Link[] = []
  const [position, found] = [scratch, scratch + 4]
  pdfium.HEAP32[position >> 2] = 0
  while (links.length < maxLinks && pdfium._FPDFLink_Enumerate(page, position, found) === 1) {
    const link = pdfium.HEAP32[found >> 2] as Handle
    const action = pdfium._FPDFLink_GetAction(link)
    if (action === 0 || pdfium._FPDFAction_GetType(action) !== uriAction) continue
    const uri = bytes((buffer, length) => pdfium._FPDFAction_GetURIPath(handle, action, buffer, length))
      .toString('utf8')
      .replace(/\0$/, '')
    const address = shownAddress(uri)
    if (address === undefined) continue
    if (pdfium._FPDFLink_GetAnnotRect(link, scratch + 16) === 0) continue
    const [left = 0, top = 0, right = 0, bottom = 0] = floats(4, scratch + 16)
    const box = boxAround(shown(left, top), shown(right, bottom))
    links.push({ box, address })
  }
  return links
}
