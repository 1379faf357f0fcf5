import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { unreadable } from '../../unreadable.ts'
import type { PdfSource } from './source.ts'

/** A pdfium object, or a pointer into pdfium's memory; 0 for none. */
export type Handle = number

type PdfiumFunction =
  | `_FPDFAction_Get${'Dest' | 'Type' | 'URIPath'}`
  | `_FPDFAnnot_GetFormField${'AlternateName' | 'ExportValue' | 'Flags' | 'Name' | 'Type' | 'Value'}`
  | `_FPDFAnnot_${'GetFlags' | 'GetOptionCount' | 'GetOptionLabel' | 'GetRect' | 'GetStringValue' | 'GetSubtype'}`
  | '_FPDFAnnot_IsOptionSelected'
  | `_FPDFBitmap_${'CreateEx' | 'Destroy' | 'FillRect' | 'GetBuffer' | 'GetStride'}`
  | `_FPDFBookmark_Get${'Action' | 'Dest' | 'FirstChild' | 'NextSibling' | 'Title'}`
  | `_FPDFDOC_${'ExitFormFillEnvironment' | 'InitFormFillEnvironment'}`
  | '_FPDFDest_GetDestPageIndex'
  | `_FPDFFormObj_${'CountObjects' | 'GetObject'}`
  | `_FPDFLink_${'Enumerate' | 'GetAction' | 'GetAnnotRect'}`
  | `_FPDFPageObj_${'GetBounds' | 'GetFillColor' | 'GetMatrix' | 'GetType' | 'Transform'}`
  | `_FPDFPage_${'CloseAnnot' | 'CountObjects' | 'GetAnnot' | 'GetAnnotCount' | 'GetObject' | 'GetRotation'}`
  | `_FPDFPathSegment_${'GetClose' | 'GetPoint' | 'GetType'}`
  | `_FPDFPath_${'CountSegments' | 'GetDrawMode' | 'GetPathSegment'}`
  | '_FPDFTextObj_GetTextRenderMode'
  | `_FPDFText_${'ClosePage' | 'CountChars' | 'GetCharBox' | 'GetCharOrigin' | 'GetFillColor' | 'GetFontInfo'}`
  | `_FPDFText_${'GetFontSize' | 'GetLooseCharBox' | 'GetMatrix' | 'GetTextObject' | 'GetUnicode'}`
  | `_FPDFText_${'HasUnicodeMapError' | 'IsGenerated' | 'LoadPage'}`
  | `_FPDF_${'CloseDocument' | 'ClosePage' | 'DestroyLibrary' | 'GetFormType' | 'GetLastError' | 'GetMetaText'}`
  | `_FPDF_${'GetPageBoundingBox' | 'GetPageCount' | 'GetPageHeightF' | 'GetPageWidthF' | 'GetXFAPacketContent'}`
  | `_FPDF_${'GetXFAPacketCount' | 'GetXFAPacketName' | 'LoadCustomDocument' | 'LoadPage' | 'RenderPageBitmap'}`

/**
 * pdfium's C API (fpdfview.h, fpdf_text.h, fpdf_edit.h, fpdf_doc.h, fpdf_annot.h): the npm package exports all
 * functions, but types only a few. Never keep a view of pdfium's memory: views are replaced when it grows.
 */
export type Pdfium = {
  readonly HEAPU8: Uint8Array
  readonly HEAP32: Int32Array
  readonly HEAPF32: Float32Array
  readonly HEAPF64: Float64Array
  readonly wasmExports: {
    readonly malloc: (bytes: number) => Handle
    readonly free: (pointer: Handle) => void
    readonly __indirect_function_table: { set(index: number, value: unknown): void }
  }
} & Readonly<Record<PdfiumFunction, (...args: readonly number[]) => number>>

export type PdfDocument = {
  readonly pdfium: Pdfium
  readonly handle: Handle
  readonly pages: number
  /** 256 bytes for values that a function returns through pointers. */
  readonly scratch: Handle
  /** First 32-bit floats of `scratch`, or those at `at`. */
  readonly floats: (count: number, at?: Handle) => readonly number[]
  /** Calls a function that fills a buffer with UTF-16LE, or with nothing. */
  readonly utf16: (call: (buffer: Handle, bytes: number) => number) => string
  /** Calls a function that fills a buffer, or leaves it empty. */
  readonly bytes: (call: (buffer: Handle, bytes: number) => number) => Buffer
  /** Passes a pointer to a zero-terminated ASCII text. */
  readonly latin1: <T>(text: string, call: (pointer: Handle) => T) => T
  /** Form environment, without which pdfium does not find the values of form fields. */
  readonly form: () => Handle
  /** Bytes of pdfium's memory, which never shrinks until the document is closed and garbage-collected. */
  readonly memory: () => number
  /** Throws a disk error, which pdfium reports as a damaged file. */
  readonly check: () => void
  readonly close: () => void
}

const maxBytes = 0x7fff_ffff
const passwordError = 4
const securityError = 5
const formInfoBytes = 256
/** Bytes; longer texts, such as the value of a form field, are cut. */
const maxText = 1024 * 1024
/** Bytes; still longer texts are left out. */
const maxWholeText = 16 * maxText

/**
 * WebAssembly module that imports a function as `e.f` and exports it as `f`: four 32-bit integers in, one out. A
 * WebAssembly table accepts no plain JavaScript function.
 */
const trampoline = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x09, 0x01, 0x60, 0x04, 0x7f, 0x7f, 0x7f, 0x7f, 0x01, 0x7f],
  ...[0x02, 0x07, 0x01, 0x01, 0x65, 0x01, 0x66, 0x00, 0x00],
  ...[0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00],
)

/** The full types come with the DOM types, which this project does not load. */
type Wasm = {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> }
}

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Wasm }
let compiled: object | undefined

/**
 * Removes the getters that pdfium's loader defines on the global object: their closures would keep pdfium's memory, up
 * to hundreds of megabytes, until the process ends.
 */
const loadPdfium = async (): Promise<Pdfium> => {
  const { PDFiumModule } = await import('@hyzyla/pdfium')
  const before = new Set(Object.getOwnPropertyNames(globalThis))
  compiled ??= new WebAssembly.Module(
    readFileSync(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm')),
  )
  const code = compiled
  const pdfium = await PDFiumModule({
    // Emscripten's default compiles the code again for each instance.
    instantiateWasm(imports: object, receive: (instance: object, module: object) => void) {
      const instance = new WebAssembly.Instance(code, imports)
      receive(instance, code)
      return instance.exports
    },
  })
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (!before.has(name)) Reflect.deleteProperty(globalThis, name)
  return pdfium as unknown as Pdfium
}

/** Lets pdfium read the file from `source`. Returns a function that throws the disk error of a read that failed. */
const readFrom = (pdfium: Pdfium, source: PdfSource): PdfDocument['check'] => {
  let failure: unknown
  const readBlock = (_: number, position: number, target: number, size: number): number => {
    try {
      return source.read(pdfium.HEAPU8.subarray(target, target + size), position >>> 0) ? 1 : 0
    } catch (error) {
      failure = error
      return 0
    }
  }
  const instance = new WebAssembly.Instance(new WebAssembly.Module(trampoline), { e: { f: readBlock } })
  // The table can't grow. Slot 0 is the null pointer, which pdfium never calls.
  pdfium.wasmExports.__indirect_function_table.set(0, instance.exports['f'])
  return () => {
    if (failure !== undefined) throw failure
  }
}

/** Functions that pass values through pdfium's memory. */
const memoryOf = (pdfium: Pdfium): Pick<PdfDocument, 'scratch' | 'floats' | 'bytes' | 'utf16' | 'latin1'> => {
  const { malloc, free } = pdfium.wasmExports
  const scratch = malloc(256)
  const bytes: PdfDocument['bytes'] = (call) => {
    const length = call(0, 0)
    if (length <= 0 || length > maxWholeText) return Buffer.alloc(0)
    // pdfium writes nothing into a buffer that is too short.
    const buffer = malloc(length)
    call(buffer, length)
    const copy = Buffer.from(pdfium.HEAPU8.subarray(buffer, buffer + Math.min(length, maxText)))
    free(buffer)
    return copy
  }
  return {
    scratch,
    floats: (count, at = scratch) => [...pdfium.HEAPF32.subarray(at >> 2, (at >> 2) + count)],
    bytes,
    // The last two bytes terminate the text.
    utf16: (call) => bytes(call).subarray(0, -2).toString('utf16le').toWellFormed(),
    latin1(text, call) {
      const pointer = malloc(text.length + 1)
      pdfium.HEAPU8.set(Buffer.from(`${text}\0`, 'latin1'), pointer)
      const result = call(pointer)
      free(pointer)
      return result
    },
  }
}

/** An FPDF_FORMFILLINFO of version 1 without callbacks: nothing is shown, and no script runs. */
const openForm = (pdfium: Pdfium, handle: Handle): Handle => {
  const info = pdfium.wasmExports.malloc(formInfoBytes)
  pdfium.HEAPU8.fill(0, info, info + formInfoBytes)
  pdfium.HEAP32[info >> 2] = 1
  return pdfium._FPDFDOC_InitFormFillEnvironment(handle, info)
}

/**
 * pdfium runs no scripts and fetches nothing; it requests bytes from `source` as needed. Throws `PermanentError` for a
 * file that is encrypted or damaged.
 */
export const openPdf = async (source: PdfSource): Promise<PdfDocument> => {
  if (source.size > maxBytes) throw unreadable('too_large_to_process', 'The PDF has more than 2 GiB.')
  const pdfium = await loadPdfium()
  ;(pdfium as unknown as { _FPDF_InitLibraryWithConfig(config: object): void })._FPDF_InitLibraryWithConfig({
    version: 2,
  })
  const check = readFrom(pdfium, source)
  const memory = memoryOf(pdfium)
  const access = pdfium.wasmExports.malloc(12)
  pdfium.HEAP32.set([source.size, 0, 0], access >> 2)
  const handle = pdfium._FPDF_LoadCustomDocument(access, 0)
  let form = 0
  const close = () => {
    if (form !== 0) pdfium._FPDFDOC_ExitFormFillEnvironment(form)
    if (handle !== 0) pdfium._FPDF_CloseDocument(handle)
    pdfium._FPDF_DestroyLibrary()
  }
  if (handle === 0) {
    const code = pdfium._FPDF_GetLastError()
    close()
    check()
    if (code === passwordError || code === securityError)
      throw unreadable('encrypted', 'The file opens only with a password.')
    throw unreadable('damaged', 'The file is not a PDF that can be read.')
  }
  return {
    ...memory,
    pdfium,
    handle,
    pages: pdfium._FPDF_GetPageCount(handle),
    form() {
      if (form === 0) form = openForm(pdfium, handle)
      return form
    },
    memory: () => pdfium.HEAPU8.length,
    check,
    close,
  }
}

/** Pages are numbered from 1. Throws if pdfium can't read the page. */
export const withPage = <T>(document: PdfDocument, number: number, use: (page: Handle) => T): T => {
  const { pdfium, handle } = document
  const page = pdfium._FPDF_LoadPage(handle, number - 1)
  document.check()
  if (page === 0) throw new Error(`pdfium can't read the page (${pdfium._FPDF_GetLastError()})`)
  try {
    return use(page)
  } finally {
    pdfium._FPDF_ClosePage(page)
  }
}
