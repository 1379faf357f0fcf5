import type { PDFDocumentProxy } from 'unpdf/pdfjs'

type Page = Awaited<ReturnType<PDFDocumentProxy['getPage']>>
type Option = { readonly exportValue?: string; readonly displayValue?: string }
/** The fields of pdf.js's annotations that are read here; pdf.js types them as `any`. */
type Annotation = {
  readonly subtype?: string
  readonly annotationFlags?: number
  /** Left, bottom, right, top, in points. */
  readonly rect: readonly [number, number, number, number]
  readonly fieldType?: 'Tx' | 'Ch' | 'Btn' | 'Sig'
  readonly fieldName?: string
  /** The label that a form shows for a field. */
  readonly alternativeText?: string
  readonly fieldValue?: unknown
  readonly password?: boolean
  readonly options?: readonly Option[]
  readonly checkBox?: boolean
  readonly radioButton?: boolean
  readonly exportValue?: string
  readonly buttonValue?: string
  readonly contentsObj?: { readonly str?: string }
  readonly textContent?: readonly string[]
}

/** Bits "hidden" and "no view" of an annotation. */
const unseen = 2 | 32
/** A popup repeats the text of the annotation that it belongs to. */
const withoutText = new Set(['Link', 'Popup'])

const clean = (text: string): string => text.replaceAll(/\r\n?/g, '\n').trim()

/** Returns the label, else the last part of the full name: `form[0].person.city[0]` is `city`. */
const labelOf = ({ alternativeText, fieldName = '' }: Annotation): string =>
  clean(alternativeText || fieldName.slice(fieldName.lastIndexOf('.') + 1).replace(/\[\d+\]$/, ''))

const shownValue = ({ fieldValue, options = [] }: Annotation): string => {
  const shown = (value: unknown) =>
    options.find((option) => option.exportValue === value)?.displayValue ?? (typeof value === 'string' ? value : '')
  return (Array.isArray(fieldValue) ? fieldValue : [fieldValue])
    .map((value) => clean(shown(value)))
    .filter((value) => value !== '')
    .join(', ')
}

const fieldText = (field: Annotation): string => {
  const label = labelOf(field)
  if (field.password || field.fieldType === 'Sig') return ''
  if (field.checkBox) return `${field.fieldValue === field.exportValue ? '☒' : '☐'} ${label}`
  // A button without a picture does not say which choice it is: then each of its field has the value.
  const isChosen = (field.buttonValue ?? field.fieldValue) === field.fieldValue && field.fieldValue !== 'Off'
  if (field.fieldType === 'Btn' && !(field.radioButton && isChosen)) return ''
  const value = shownValue(field)
  if (value === '') return ''
  return label === '' ? value : `${label}: ${value}`
}

const textOf = (annotation: Annotation): string => {
  if (((annotation.annotationFlags ?? 0) & unseen) !== 0 || withoutText.has(annotation.subtype ?? '')) return ''
  if (annotation.subtype === 'Widget') return fieldText(annotation)
  return clean(annotation.contentsObj?.str || (annotation.textContent ?? []).join('\n'))
}

/**
 * Returns what people have typed into a page, from top to bottom: values of form fields behind their labels, and the
 * texts of annotations. None of it is in the page's text layer.
 */
export const typedTexts = async (page: Page): Promise<readonly string[]> => {
  const annotations = (await page.getAnnotations()) as readonly Annotation[]
  const placed = annotations.toSorted((a, b) => b.rect[3] - a.rect[3] || a.rect[0] - b.rect[0])
  const texts = new Map<string, string>()
  for (const [index, annotation] of placed.entries()) {
    const text = textOf(annotation)
    // A field may be shown in several places; two comments may be equal.
    if (text !== '') texts.set(`${annotation.fieldName ?? index} ${text}`, text)
  }
  return [...texts.values()]
}
