import type { GrayImage } from './gray-png.ts'
import type { PdfSource } from './pdf-source.ts'

export type PageImage = GrayImage & { readonly dpi: number }

export type PdfRenderer = {
  /** Renders a page, numbered from 1. Undefined if the page is blank. Throws if it can't be rendered. */
  render(page: number): Promise<PageImage | undefined>
  close(): void
}

const pointsPerInch = 72
const targetDpi = 200
/**
 * An A4 page at 200 dpi has 3.9 million pixels; much larger pages get a lower resolution, A3 176 dpi. Each million
 * costs about 6 MB, and with this limit the whole process stays below its 256 MiB.
 */
const maxPixels = 6_000_000
/** Pixels of the preview that shows whether the page is blank: a speck of dust disappears in it. */
const glancePixels = 120_000
/** Of 255. Lower contrast is the JPEG texture of a scanned empty sheet. */
const leastContrast = 12

/** Maximum of a signed 32-bit integer. */
const maxBytes = 0x7fff_ffff

/**
 * WebAssembly module that imports a function as `e.f` and exports it as `f`: four 32-bit integers in, one out. A
 * WebAssembly table does not accept a plain JavaScript function.
 */
const trampoline = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x09, 0x01, 0x60, 0x04, 0x7f, 0x7f, 0x7f, 0x7f, 0x01, 0x7f],
  ...[0x02, 0x07, 0x01, 0x01, 0x65, 0x01, 0x66, 0x00, 0x00],
  ...[0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00],
)

type ReadFrom = { readonly _FPDF_LoadCustomDocument: (access: number, password: number) => number }
type Exports = { readonly __indirect_function_table: { set(index: number, value: unknown): void } }
/** The part of WebAssembly used here; its full types come with the DOM types, which this project does not load. */
type Wasm = {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> }
}

/** Whether the page has no contrast, in squares of the picture as large as a pixel of the preview. */
const isBlank = ({ width, height, pixels }: GrayImage): boolean => {
  const side = Math.max(1, Math.round(Math.sqrt((width * height) / glancePixels)))
  const columns = Math.ceil(width / side)
  let low = 255
  let high = 0
  for (let top = 0; top < height; top += side) {
    const rows = Math.min(side, height - top)
    const sums = new Uint32Array(columns)
    for (let y = top; y < top + rows; y += 1)
      for (let x = 0; x < width; x += 1) sums[(x / side) | 0]! += pixels[y * width + x]!
    for (let column = 0; column < columns; column += 1) {
      const mean = sums[column]! / (rows * Math.min(side, width - column * side))
      low = Math.min(low, mean)
      high = Math.max(high, mean)
    }
  }
  return high - low < leastContrast
}

/**
 * Loads pdfium without its getters on the global object, which name what its build lacks: their closures would keep its
 * memory, of up to hundreds of megabytes, until the process ends.
 */
const loadPdfium = async () => {
  const { PDFiumDocument, PDFiumModule } = await import('@hyzyla/pdfium')
  const before = new Set(Object.getOwnPropertyNames(globalThis))
  const pdfium = await PDFiumModule({})
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (!before.has(name)) Reflect.deleteProperty(globalThis, name)
  return { PDFiumDocument, pdfium }
}

/**
 * Opens a PDF with pdfium to render pages as gray images. pdfium reads only the bytes a page needs, so a scan of
 * hundreds of megabytes costs no more memory than its largest page.
 */
export const openRenderer = async (source: PdfSource): Promise<PdfRenderer> => {
  if (source.size > maxBytes) throw new Error('the file is too large to be rendered')
  const { PDFiumDocument, pdfium } = await loadPdfium()
  const { malloc, free } = pdfium.wasmExports
  const { __indirect_function_table: table } = pdfium.wasmExports as unknown as Exports
  pdfium._FPDF_InitLibraryWithConfig({ version: 2 } as object)

  let failure: unknown
  // Disk errors must bypass pdfium, which would report the file as damaged.
  const readBlock = (_: number, position: number, target: number, size: number): number => {
    try {
      return source.read(pdfium.HEAPU8.subarray(target, target + size), position >>> 0) ? 1 : 0
    } catch (error) {
      failure = error
      return 0
    }
  }
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Wasm }
  const instance = new WebAssembly.Instance(new WebAssembly.Module(trampoline), { e: { f: readBlock } })
  // The table can't grow. Slot 0 is that of the null pointer, which pdfium never calls.
  table.set(0, instance.exports['f'])
  const access = malloc(12)
  pdfium.HEAP32.set([source.size, 0, 0], access >> 2)
  const index = (pdfium as unknown as ReadFrom)._FPDF_LoadCustomDocument(access, 0)
  const close = () => {
    if (index !== 0) pdfium._FPDF_CloseDocument(index)
    free(access)
    pdfium._FPDF_DestroyLibrary()
  }
  if (index === 0) {
    const code = pdfium._FPDF_GetLastError()
    close()
    throw failure ?? new Error(`pdfium can't open the file (${code})`)
  }
  const document = new PDFiumDocument({ module: pdfium, documentIdx: index, documentPtr: 0 })

  const draw = async (page: number, width: number, height: number): Promise<GrayImage> => {
    // Rendering closes the page, so each rendering opens it again.
    const image = await document
      .getPage(page - 1)
      .render({ width, height, scale: 1, colorSpace: 'Gray', render: async ({ data }) => data })
    if (failure !== undefined) throw failure
    return { width: image.width, height: image.height, pixels: image.data }
  }

  return {
    async render(page) {
      const handle = pdfium._FPDF_LoadPage(index, page - 1)
      if (failure !== undefined) throw failure
      if (handle === 0) throw new Error(`pdfium can't read the page (${pdfium._FPDF_GetLastError()})`)
      const [width, height] = [pdfium._FPDF_GetPageWidth(handle), pdfium._FPDF_GetPageHeight(handle)]
      pdfium._FPDF_ClosePage(handle)
      if (!(width > 0 && height > 0)) throw new Error('the page has no size')
      const dpi = Math.min(targetDpi, pointsPerInch * Math.sqrt(maxPixels / (width * height)))
      const pixels = (length: number) => Math.max(1, Math.min(30_000, Math.round((length * dpi) / pointsPerInch)))
      const image = await draw(page, pixels(width), pixels(height))
      return isBlank(image) ? undefined : { ...image, dpi }
    },
    close,
  }
}
