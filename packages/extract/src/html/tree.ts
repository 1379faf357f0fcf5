import { html, type Token, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5'
import { unreadable } from '../unreadable.ts'

/** A list of children for each element would take twice the memory and be slow to change. */
type Linked = { parent: HtmlElement | null; previous: HtmlNode | null; next: HtmlNode | null }
export type HtmlText = Linked & { value: string }
export type HtmlElement = Linked & {
  readonly name: string
  readonly namespace: html.NS
  /** Only those that the extractor reads. */
  attributes: Token.Attribute[]
  first: HtmlNode | null
  last: HtmlNode | null
}
export type HtmlNode = HtmlElement | HtmlText

export const isElement = (node: HtmlNode): node is HtmlElement => 'name' in node

export function* childrenOf({ first }: HtmlElement): Generator<HtmlNode> {
  for (let child = first; child; child = child.next) yield child
}

export const attributeOf = ({ attributes }: HtmlElement, name: string): string | undefined =>
  attributes.find((attribute) => attribute.name === name)?.value

const kept = new Set(
  'alt alttext aria-hidden aria-label aria-level colspan content encoding epub:type hidden href lang name open property required-namespace reversed role rowspan shadowrootmode start style type value xml:lang'.split(
    ' ',
  ),
)
/** A longer value, such as a picture in a data URL, is cut. */
const maxValue = 8_192

/** The figures are measured. */
const bytesPerElement = 250
const bytesPerText = 100
const bytesPerUnit = 4
const maxTreeBytes = 140 * 1024 * 1024

const tooLarge = () => unreadable('too_large_to_process', 'The page has more text and elements than fit into memory.')

/** A substring would keep the whole string in memory. */
const copied = (text: string): string => Buffer.from(text.slice(0, maxValue)).toString()

const noAttributes: Token.Attribute[] = []

export type HtmlTypes = TreeAdapterTypeMap<
  HtmlNode,
  HtmlElement,
  HtmlNode,
  HtmlElement,
  HtmlElement,
  HtmlElement,
  HtmlText,
  HtmlText,
  HtmlElement,
  HtmlText
>

const newText = (value: string): HtmlText => ({ value, parent: null, previous: null, next: null })

/** Keeps elements, text and the ids in `ids`. Throws `PermanentError` once it would take too much memory. */
export class HtmlTree {
  readonly #ids: ReadonlySet<string>
  #bytes = 0
  /** The text node that grows, and its unjoined parts: joined text takes a tenth of the memory. */
  #growing: HtmlText | undefined
  #parts: string[] = []

  constructor(ids: ReadonlySet<string>) {
    this.#ids = ids
  }

  /** Call before the text of the tree is read. */
  joinText(): void {
    if (this.#growing) this.#growing.value += this.#parts.join('')
    this.#growing = undefined
    this.#parts = []
  }

  create(name: string, namespace: html.NS, attributes: Token.Attribute[]): HtmlElement {
    this.joinText()
    this.#count(bytesPerElement)
    return {
      name: name.toLowerCase(),
      namespace,
      attributes: attributes.length === 0 ? noAttributes : this.#kept(attributes),
      parent: null,
      previous: null,
      next: null,
      first: null,
      last: null,
    }
  }

  /** `next` null: at the end. */
  insert(parent: HtmlElement, node: HtmlNode, next: HtmlNode | null): void {
    const previous = next ? next.previous : parent.last
    Object.assign(node, { parent, previous, next })
    if (previous) previous.next = node
    else parent.first = node
    if (next) next.previous = node
    else parent.last = node
  }

  detach(node: HtmlNode): void {
    this.joinText()
    const { parent, previous, next } = node
    if (previous) previous.next = next
    else if (parent) parent.first = next
    if (next) next.previous = previous
    else if (parent) parent.last = previous
    Object.assign(node, { parent: null, previous: null, next: null })
  }

  addText(parent: HtmlElement, text: string, next: HtmlNode | null): void {
    this.#count(text.length * bytesPerUnit)
    const before = next ? next.previous : parent.last
    if (this.#growing === undefined || before !== this.#growing) {
      this.joinText()
      this.#growing = before && !isElement(before) ? before : newText('')
      if (this.#growing !== before) {
        this.#count(bytesPerText)
        this.insert(parent, this.#growing, next)
      }
    }
    this.#parts.push(text)
  }

  addAttributes(element: HtmlElement, attributes: readonly Token.Attribute[]): void {
    const known = new Set(element.attributes.map(({ name }) => name))
    element.attributes = [...element.attributes, ...this.#kept(attributes).filter(({ name }) => !known.has(name))]
  }

  #kept(attributes: readonly Token.Attribute[]): Token.Attribute[] {
    return attributes.flatMap(({ name, value }) =>
      kept.has(name) || (name === 'id' && this.#ids.has(value)) ? [{ name, value: copied(value) }] : [],
    )
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > maxTreeBytes) throw tooLarge()
  }
}

export const treeAdapter = (tree: HtmlTree): TreeAdapter<HtmlTypes> => {
  let mode = html.DOCUMENT_MODE.NO_QUIRKS
  return {
    createDocument: () => tree.create('#document', html.NS.HTML, []),
    createDocumentFragment: () => tree.create('#fragment', html.NS.HTML, []),
    createElement: (...element) => tree.create(...element),
    createCommentNode: () => newText(''),
    createTextNode: newText,
    appendChild: (parent, node) => {
      // Comments have an empty value and are not part of the tree.
      if (isElement(node) || node.value !== '') tree.insert(parent, node, null)
    },
    insertBefore: (...place) => tree.insert(...place),
    insertText: (parent, text) => tree.addText(parent, text, null),
    insertTextBefore: (...place) => tree.addText(...place),
    detachNode: (node) => tree.detach(node),
    adoptAttributes: (recipient, attributes) => tree.addAttributes(recipient, attributes),
    getFirstChild: ({ first }) => first,
    getChildNodes: (parent) => [...childrenOf(parent)],
    getParentNode: ({ parent }) => parent,
    getAttrList: ({ attributes }) => attributes,
    getTagName: ({ name }) => name,
    getNamespaceURI: ({ namespace }) => namespace,
    getTextNodeContent: ({ value }) => value,
    getCommentNodeContent: () => '',
    isTextNode: (node): node is HtmlText => !isElement(node),
    isCommentNode: (_node): _node is HtmlText => false,
    isDocumentTypeNode: (_node): _node is HtmlText => false,
    isElementNode: isElement,
    setDocumentType: () => undefined,
    getDocumentTypeNodeName: () => '',
    getDocumentTypeNodePublicId: () => '',
    getDocumentTypeNodeSystemId: () => '',
    setDocumentMode: (_document, found) => {
      mode = found
    },
    getDocumentMode: () => mode,
    setTemplateContent: () => undefined,
    getTemplateContent: (template) => template,
    getNodeSourceCodeLocation: () => null,
    setNodeSourceCodeLocation: () => undefined,
    updateNodeSourceCodeLocation: () => undefined,
  }
}
