import type { ToShown } from '../document/coordinates.ts'
import type { Handle, PdfDocument } from '../document/pdfium.ts'

export type Style = {
  readonly font: string
  /** Points. */
  readonly size: number
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly color: number
  /** PDF text rendering mode, 0 to 7; 3 draws nothing. */
  readonly mode: number
}

/** Points of the page as shown. */
export type Drawn = {
  readonly text: string
  readonly x: number
  readonly y: number
  /** Clockwise direction of the baseline, in radians. */
  readonly angle: number
  readonly width: number
  /** Opposite corners of the box; only if the advance is not known. */
  readonly corners: readonly (readonly [x: number, y: number])[]
  readonly style: Style
  readonly afterBlank: boolean
  /** Position among the page's characters in the file. */
  readonly index: number
}

export type Characters = {
  readonly drawn: readonly Drawn[]
  readonly isCut: boolean
  readonly unmapped: number
  /** Characters whose font has no Unicode mapping, so that pdfium used their codes. */
  readonly guessed: number
}

/** Real pages have up to 20,000; more than this is an attack. */
const maxCharacters = 200_000
const hyphens = new Set([0x02, 0xfffe, 0xad])
const presentationForms = /[\ufb00-\ufdff\ufe70-\ufefc]/
const bullets = new Map([...'\uf0b7\uf0a7\uf0a8\uf0d8\uf076\uf0fc\uf06e\uf06f'].map((mark) => [mark, '•']))
const isUnmapped = /[\ufffd\p{Co}\p{Cn}\p{Cc}]/u
const bold = /bold|black|heavy|demi|bx\d|medi(?:um)?$|-bd$/i
const italic = /italic|oblique|slanted|(?:sl|ti)\d|-it$/i
const forceBold = 1 << 18
const italicFlag = 1 << 6

const styleReader = ({ pdfium, scratch, floats }: PdfDocument, text: Handle, shown: ToShown) => {
  const known = new Map<Handle, { readonly style: Style; readonly angle: number; readonly isUpright: boolean }>()
  const fontName = (index: number): readonly [name: string, flags: number] => {
    const length = Math.min(200, pdfium._FPDFText_GetFontInfo(text, index, scratch, 200, scratch + 240))
    const flags = pdfium.HEAP32[(scratch + 240) >> 2] ?? 0
    return [Buffer.from(pdfium.HEAPU8.subarray(scratch, scratch + Math.max(0, length - 1))).toString(), flags]
  }
  return (object: Handle, index: number) => {
    const found = known.get(object)
    if (found && object !== 0) return found
    pdfium._FPDFText_GetMatrix(text, index, scratch)
    const [a = 1, b = 0, c = 0, d = 1] = floats(4)
    const height = Math.hypot(c, d) || Math.hypot(a, b) || 1
    const size = pdfium._FPDFText_GetFontSize(text, index) * height
    pdfium._FPDFText_GetFillColor(text, index, scratch, scratch + 4, scratch + 8, scratch + 12)
    const [red = 0, green = 0, blue = 0] = pdfium.HEAP32.subarray(scratch >> 2, (scratch >> 2) + 3)
    const [font, flags] = fontName(index)
    const mode = object === 0 ? 0 : pdfium._FPDFTextObj_GetTextRenderMode(object)
    const style = {
      font,
      size: Math.abs(size) || 1,
      isItalic: italic.test(font) || (flags & italicFlag) !== 0,
      isBold: bold.test(font) || (flags & forceBold) !== 0 || mode === 2,
      color: (red << 16) | (green << 8) | blue,
      mode,
    }
    const [zeroX, zeroY] = shown(0, 0)
    const [tipX, tipY] = shown(a, b)
    const isUpright = b === 0 && c === 0 && a > 0 && d > 0
    const read = { style, angle: Math.atan2(tipY - zeroY, tipX - zeroX), isUpright }
    known.set(object, read)
    return read
  }
}

const hangul = /[\uac00-\ud7af]/
const cyrillicBytes = /[\ud080-\ud0bf\ud180-\ud1bf]/

/**
 * Some fonts' Unicode maps contain UTF-8 instead of UTF-16, which turns Cyrillic letters into Hangul. Real Korean text
 * always has other syllables, too.
 */
const withoutUtf8 = (drawn: readonly Drawn[]): readonly Drawn[] => {
  const syllables = drawn.filter(({ text }) => hangul.test(text))
  if (syllables.length < 3 || !syllables.every(({ text }) => cyrillicBytes.test(text))) return drawn
  return drawn.map((one) => {
    if (!cyrillicBytes.test(one.text)) return one
    const code = one.text.charCodeAt(0)
    return { ...one, text: Buffer.from([code >> 8, code & 0xff]).toString('utf8') }
  })
}

/** Leaves out blanks, characters that pdfium adds, and characters without a mapping to Unicode. Handle 0: none. */
export const readCharacters = (document: PdfDocument, text: Handle, shown: ToShown): Characters => {
  const { pdfium, scratch } = document
  const styleOf = styleReader(document, text, shown)
  const drawn: Drawn[] = []
  let unmapped = 0
  let guessed = 0
  let afterBlank = false
  const all = text === 0 ? 0 : pdfium._FPDFText_CountChars(text)
  const count = Math.min(all, maxCharacters)
  for (let index = 0; index < count; index += 1) {
    if (pdfium._FPDFText_IsGenerated(text, index) === 1) continue
    const code = pdfium._FPDFText_GetUnicode(text, index)
    const first = index
    let character = hyphens.has(code) ? '-' : String.fromCodePoint(code > 0x10ffff ? 0xfffd : code)
    if (code >= 0xd800 && code < 0xdc00) {
      // A character beyond the basic plane takes two positions.
      const low = pdfium._FPDFText_GetUnicode(text, index + 1)
      if (low >= 0xdc00 && low < 0xe000) character = String.fromCharCode(code, low)
      index += 1
    }
    if (code > 0x20 && code < 0x7f) {
      // Most characters need no further check.
    } else if (/\s/.test(character)) {
      afterBlank = true
      continue
    } else {
      character = bullets.get(character) ?? character
      if (isUnmapped.test(character)) {
        unmapped += 1
        continue
      }
      if (presentationForms.test(character)) character = character.normalize('NFKC')
    }
    // Only Latin: East Asian characters are mapped by the font's character collection.
    if (code < 0x250 && pdfium._FPDFText_HasUnicodeMapError(text, first) === 1) guessed += 1
    const { style, angle, isUpright } = styleOf(pdfium._FPDFText_GetTextObject(text, first), first)
    pdfium._FPDFText_GetCharOrigin(text, first, scratch, scratch + 8)
    const originX = pdfium.HEAPF64[scratch >> 3] as number
    const originY = pdfium.HEAPF64[(scratch >> 3) + 1] as number
    const [x, y] = shown(originX, originY)
    let width = 0
    if (isUpright) {
      pdfium._FPDFText_GetLooseCharBox(text, first, scratch)
      const left = pdfium.HEAPF32[scratch >> 2] as number
      const right = pdfium.HEAPF32[(scratch >> 2) + 2] as number
      if (right > left && Math.abs(left - originX) < style.size) width = right - left
    }
    const corners = width > 0 ? [] : cornersOf(document, text, first, shown)
    drawn.push({ text: character, x, y, angle, width, corners, style, afterBlank, index: first })
    afterBlank = false
  }
  return { drawn: withoutUtf8(drawn), isCut: all > count, unmapped, guessed }
}

const cornersOf = ({ pdfium, scratch }: PdfDocument, text: Handle, index: number, shown: ToShown) => {
  pdfium._FPDFText_GetCharBox(text, index, scratch, scratch + 8, scratch + 16, scratch + 24)
  const [left = 0, right = 0, bottom = 0, top = 0] = pdfium.HEAPF64.subarray(scratch >> 3, (scratch >> 3) + 4)
  return [shown(left, bottom), shown(right, top)]
}
