import sax, { type Tag } from 'sax'
import { unreadable } from './unreadable.ts'

/** UTF-16 units of one tag, or of one comment: both are held whole. */
const maxMarkup = 1024 * 1024
const maxDepth = 256
/** UTF-16 units of ` a=""` besides name and value. */
const attributeMarks = 4

export type XmlHandler = {
  /** Names come without their prefix: which prefix stands for what differs from program to program. */
  open(name: string, attribute: (name: string) => string | undefined): void
  close?(name: string): void
  /** What stands between two tags may come in several parts. */
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
 * Reads XML piece by piece and holds a tag at a time. It knows the five entities of XML and numbers; a document type, and with it every
 * other entity, is refused, so that nothing can be expanded or fetched. By sax and not saxes: saxes is half as fast and holds texts whole.
 */
export const xmlScan = (handler: XmlHandler) => {
  // sax reads this limit from its module. Text that is longer comes in parts.
  Object.assign(sax, { MAX_BUFFER_LENGTH: maxMarkup })
  const options = { position: false, strictEntities: true }
  const parser = sax.parser(true, options)
  // sax checks the limit from a certain position on, but counting positions takes a quarter of its time: so it checks after each piece.
  parser.position = Number.POSITIVE_INFINITY
  let depth = 0
  let tagUnits = 0

  parser.onerror = ({ message }) => {
    // It may hold a name from the file.
    throw damaged(message.slice(0, 100).replace(/\.$/, ''))
  }
  parser.onsgmldeclaration = parser.ondoctype = () => {
    throw damaged('it declares a document type, which office files do not have')
  }
  parser.onattribute = ({ name, value }) => {
    tagUnits += name.length + value.length + attributeMarks
    if (tagUnits > maxMarkup) throw damaged('a tag is too long')
    // sax calls the method of this name on its object of attributes.
    if (name === 'hasOwnProperty') throw damaged('an attribute has a name that office files do not have')
  }
  parser.onopentag = ({ name, attributes }) => {
    tagUnits = 0
    if (++depth > maxDepth) throw damaged('it is nested too deep')
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
