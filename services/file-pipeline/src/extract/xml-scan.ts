import { unreadable } from './unreadable.ts'

/** UTF-16 units of one tag, or of one comment: both are held whole. */
const maxMarkup = 1024 * 1024
const maxDepth = 256

export type XmlHandler = {
  /** Names come without their prefix: which prefix stands for what differs from program to program. */
  open(name: string, attribute: (name: string) => string | undefined): void
  close(name: string): void
  /** What stands between two tags may come in several parts. */
  text(text: string): void
}

const named = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

const decode = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#x([\da-fA-F]{1,6})|#(\d{1,7})|(\w{1,10}));/g, (whole, hex?: string, decimal?: string, name?: string) => {
        if (name) return named.get(name) ?? whole
        const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
      })
    : text

const local = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Parsed when the first is asked for, and once: most tags are asked for none or for several. */
const attributesOf = (source: string): ((name: string) => string | undefined) => {
  let pairs: (readonly [name: string, value: string])[] | undefined
  return (name) => {
    if (!pairs) {
      pairs = []
      const form = /([^\s=/"'<>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
      for (let found = form.exec(source); found; found = form.exec(source)) pairs.push([found[1] ?? '', found[2] ?? found[3] ?? ''])
    }
    const pair = pairs.find(([known]) => known === name) ?? pairs.find(([known]) => local(known) === name)
    return pair && decode(pair[1])
  }
}

/**
 * Reads XML piece by piece and holds a tag at a time. It knows the five entities of XML and numbers; a document type, and with it every
 * other entity, is refused, so that nothing can be expanded or fetched.
 */
export const xmlScan = (handler: XmlHandler) => {
  const names: string[] = []
  let rest = ''

  const damaged = (what: string) => unreadable('damaged', `A part of the file is not valid XML: ${what}.`)

  const tag = (source: string) => {
    if (source.startsWith('/')) {
      const name = local(source.slice(1).trim())
      if (names.pop() !== name) throw damaged('an element is not closed')
      return handler.close(name)
    }
    const alone = source.endsWith('/')
    const name = local(/^[^\s/]*/.exec(source)?.[0] ?? '')
    if (name === '') throw damaged('a tag has no name')
    handler.open(name, attributesOf(source.slice(0, alone ? -1 : undefined)))
    if (alone) handler.close(name)
    else if (names.push(name) > maxDepth) throw damaged('it is nested too deep')
  }

  /** Where the tag ends that begins at `from`: a `>` within quotes does not end it. */
  const tagEnd = (from: number): number => {
    let inside = ''
    for (let at = from; at < rest.length; at++) {
      const sign = rest.charAt(at)
      if (inside) {
        if (sign === inside) inside = ''
      } else if (sign === '>') {
        return at
      } else if (sign === '"' || sign === "'") {
        inside = sign
      }
    }
    return -1
  }

  const markup = (at: number): number => {
    const until = (mark: string, from: number): number => {
      const end = rest.indexOf(mark, from)
      return end < 0 ? -1 : end + mark.length
    }
    if (rest.startsWith('<!--', at)) return until('-->', at + 4)
    if (rest.startsWith('<?', at)) return until('?>', at + 2)
    if (rest.startsWith('<![CDATA[', at)) {
      const end = until(']]>', at + 9)
      if (end >= 0) handler.text(rest.slice(at + 9, end - 3))
      return end
    }
    if (rest.startsWith('<!', at)) {
      if (rest.length - at < 9) return -1
      throw damaged('it declares a document type, which office files do not have')
    }
    const end = tagEnd(at + 1)
    if (end < 0) return -1
    tag(rest.slice(at + 1, end))
    return end + 1
  }

  const take = (last: boolean) => {
    let at = 0
    for (;;) {
      const next = rest.indexOf('<', at)
      // An entity may be cut in two: its beginning waits for the rest.
      const amp = next < 0 && !last ? rest.lastIndexOf('&') : -1
      const stop = next >= 0 ? next : amp >= at && rest.length - amp < 12 ? amp : rest.length
      if (stop > at) handler.text(decode(rest.slice(at, stop)))
      at = stop
      if (next < 0) break
      const end = markup(next)
      if (end < 0) break
      at = end
    }
    rest = rest.slice(at)
    if (rest.length > maxMarkup) throw damaged('a tag is too long')
  }

  return {
    write(text: string): void {
      rest = rest === '' ? text : rest + text
      take(false)
    },
    end(): void {
      take(true)
      if (rest.trim() !== '' || names.length > 0) throw damaged('it ends too early')
    },
  }
}
