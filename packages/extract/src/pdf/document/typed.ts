import { type Handle, type PdfDocument, withPage } from './pdfium.ts'

/** Flags "hidden" and "no view" of an annotation. */
const unseen = 2 | 32
const passwordFlag = 1 << 13
const annotationSubtypes = { link: 2, popup: 16, widget: 20 } as const
const fields = { pushButton: 1, checkBox: 2, radioButton: 3, comboBox: 4, listBox: 5, text: 6 } as const
const maxAnnotations = 20_000
const maxOptions = 1_000

const clean = (text: string): string => text.replaceAll(/\r\n?/g, '\n').trim()

type Field = { readonly label: string; readonly name: string; readonly value: string; readonly box?: boolean }
/** Points of the page, y up. */
type Typed = { readonly x: number; readonly y: number } & ({ readonly field: Field } | { readonly text: string })

/** `form[0].person.city[0]` is `city`. */
const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1).replace(/\[\d+\]$/, '')
/** For fields whose last parts are equal: `person city`. */
const allParts = (name: string): string =>
  name
    .replaceAll(/\[\d+\]/g, '')
    .split('.')
    .join(' ')

const fieldReader = ({ pdfium, utf16, latin1 }: PdfDocument, form: Handle, annotation: Handle) => {
  const string = (
    call:
      | '_FPDFAnnot_GetFormFieldName'
      | '_FPDFAnnot_GetFormFieldAlternateName'
      | '_FPDFAnnot_GetFormFieldValue'
      | '_FPDFAnnot_GetFormFieldExportValue',
  ) => clean(utf16((buffer, bytes) => pdfium[call](form, annotation, buffer, bytes)))
  const chosen = (): string => {
    const count = Math.min(maxOptions, pdfium._FPDFAnnot_GetOptionCount(form, annotation))
    const labels: string[] = []
    for (let index = 0; index < count; index += 1)
      if (pdfium._FPDFAnnot_IsOptionSelected(form, annotation, index) === 1)
        labels.push(
          clean(utf16((buffer, bytes) => pdfium._FPDFAnnot_GetOptionLabel(form, annotation, index, buffer, bytes))),
        )
    return labels.join(', ')
  }
  const dictionary = (key: string): string =>
    clean(
      latin1(key, (pointer) =>
        utf16((buffer, bytes) => pdfium._FPDFAnnot_GetStringValue(annotation, pointer, buffer, bytes)),
      ),
    )
  /** Returns undefined if there is no value that a human reader sees. */
  return (): Field | undefined => {
    const type = pdfium._FPDFAnnot_GetFormFieldType(form, annotation)
    const name = string('_FPDFAnnot_GetFormFieldName')
    const label = string('_FPDFAnnot_GetFormFieldAlternateName')
    const isPassword = (pdfium._FPDFAnnot_GetFormFieldFlags(form, annotation) & passwordFlag) !== 0
    const state = dictionary('AS')
    if (type === fields.checkBox) return { name, label, value: '', box: state !== '' && state !== 'Off' }
    if (type === fields.radioButton) {
      const value = dictionary('V') || string('_FPDFAnnot_GetFormFieldValue')
      // A button without an appearance does not say which choice it is, so every button of the field gets the value.
      return state === 'Off' || value === 'Off' || value === '' ? undefined : { name, label, value }
    }
    if (type === fields.comboBox || type === fields.listBox) {
      const value = chosen() || string('_FPDFAnnot_GetFormFieldValue')
      return value === '' ? undefined : { name, label, value }
    }
    if (type !== fields.text || isPassword) return undefined
    const value = string('_FPDFAnnot_GetFormFieldValue')
    return value === '' ? undefined : { name, label, value }
  }
}

const readAnnotations = (document: PdfDocument, page: Handle, form: Handle): Typed[] => {
  const { pdfium, scratch, floats, utf16, latin1 } = document
  const typed: Typed[] = []
  const count = Math.min(maxAnnotations, pdfium._FPDFPage_GetAnnotCount(page))
  for (let index = 0; index < count; index += 1) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    const subtype = pdfium._FPDFAnnot_GetSubtype(annotation)
    const isSeen = (pdfium._FPDFAnnot_GetFlags(annotation) & unseen) === 0
    // A popup repeats the text of its annotation.
    if (isSeen && subtype !== annotationSubtypes.link && subtype !== annotationSubtypes.popup) {
      pdfium._FPDFAnnot_GetRect(annotation, scratch)
      const [x = 0, y = 0] = floats(2)
      if (subtype === annotationSubtypes.widget) {
        const field = fieldReader(document, form, annotation)()
        if (field) typed.push({ x, y, field })
      } else {
        const text = clean(
          latin1('Contents', (key) =>
            utf16((buffer, bytes) => pdfium._FPDFAnnot_GetStringValue(annotation, key, buffer, bytes)),
          ),
        )
        if (text !== '') typed.push({ x, y, text })
      }
    }
    pdfium._FPDFPage_CloseAnnot(annotation)
  }
  return typed.sort((a, b) => b.y - a.y || a.x - b.x)
}

/**
 * What people have typed into a page, which its text layer lacks: values of form fields after their labels, and
 * annotations; from top to bottom. `isCut`: there are more annotations than were read.
 */
export const fieldAndAnnotationTexts = (
  document: PdfDocument,
  number: number,
): { readonly texts: readonly string[]; readonly isCut: boolean } =>
  withPage(document, number, (page) => {
    const typed = readAnnotations(document, page, document.form())
    const labels = new Map<string, Set<string>>()
    for (const one of typed)
      if ('field' in one) {
        const label = one.field.label || lastPart(one.field.name)
        labels.set(label, (labels.get(label) ?? new Set()).add(one.field.name))
      }
    const texts = new Map<string, string>()
    for (const [index, one] of typed.entries()) {
      if ('text' in one) {
        // The index, because two comments may be equal.
        texts.set(`${index}`, one.text)
        continue
      }
      const { name, value, box } = one.field
      const short = one.field.label || lastPart(name)
      const label = (labels.get(short)?.size ?? 0) > 1 && !one.field.label ? allParts(name) : short
      const text = box !== undefined ? `${box ? '☒' : '☐'} ${label}` : label === '' ? value : `${label}: ${value}`
      // A field may appear in several positions; its text is kept once.
      texts.set(`${name} ${text}`, text)
    }
    return { texts: [...texts.values()], isCut: document.pdfium._FPDFPage_GetAnnotCount(page) > maxAnnotations }
  })
