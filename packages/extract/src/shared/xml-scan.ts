import sax, { type Tag } from 'sax'
import { unreadable } from '../unreadable.ts'

/** UTF-16 units of a tag or comment, which the parser holds as a whole. */
const maxMarkup = 1024 * 1024
const maxDepth = 256
/** ` a=""`, besides name and value. */
const attributeMarks = 4

export type XmlHandler = {
  /** A document type is skipped instead of rejected. Its entities stay unknown. */
  readonly allowsDoctype?: boolean
  /** `name` has no prefix, because programs use different ones for the same namespace. */
  open(name: string, attribute: (name: string) => string | undefined): void
  close?(name: string): void
  /** Text between two tags may come in several parts. */
  text?(text: string): void
}

const damaged = (what: string) => unreadable('damaged', `A part of the file is not valid XML: ${what}.`)

const local = (name: string): string => name.slice(name.indexOf(':') + 1)

const attributesOf =
  (attributes: Tag['attributes']) =>
  (name: string): string | undefined => {
    const exact = attributes[name]
    if (exact !== undefined) return exact
    for (const known in attributes) if (local(known) === name) return attributes[known]
    return undefined
  }

/**
 * Holds one tag at a time. Supports XML's five entities and character references; rejects every other entity and,
 * unless allowed, a document type, so that nothing is expanded or fetched. Uses sax because saxes is half as fast and
 * holds whole texts.
 */
export const xmlScan = (handler: XmlHandler) => {
  // sax reads this limit from a module variable. Longer text is emitted in several parts.
  Object.assign(sax, { MAX_BUFFER_LENGTH: maxMarkup })
  const options = { position: false, strictEntities: true }
  const parser = sax.parser(true, options)
  // sax checks the limit at a certain position, but counting positions takes a quarter of its time. An infinite
  // position makes it check after each piece.
  parser.position = Number.POSITIVE_INFINITY
  let depth = 0
  let tagUnits = 0

  parser.onerror = ({ message }) => {
    // The message may contain a name from the file.
    throw damaged(message.slice(0, 100).replace(/\.$/, ''))
  }
  parser.onsgmldeclaration = parser.ondoctype = () => {
    if (handler.allowsDoctype) return
    throw damaged('it declares a document type, which office files do not have')
  }
  parser.onattribute = ({ name, value }) => {
    tagUnits += name.length + value.length + attributeMarks
    if (tagUnits > maxMarkup) throw damaged('a tag is too long')
    // sax calls `hasOwnProperty` on its attributes object.
    if (name === 'hasOwnProperty') throw damaged('an attribute has a name that office files do not have')
  }
  parser.onopentag = ({ name, attributes }) => {
    tagUnits = 0
    if (++depth > maxDepth)
      throw unreadable(
        'value_too_large',
        `A part of the file has elements that are nested more than ${maxDepth} levels deep.`,
      )
    handler.open(local(name), attributesOf(attributes as Tag['attributes']))
  }
  parser.onclosetag = (name) => {
    depth--
    handler.close?.(local(name))
  }
  parser.ontext = parser.oncdata = (text) => handler.text?.(text)

  return {
    write: (text: string): void => {
      parser.write(text)
    },
    end: (): void => {
      parser.close()
    },
  }
}
