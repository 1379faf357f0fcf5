import fc from 'fast-check'
import { expect, it } from 'vitest'
import { xmlScan } from './xml-scan.ts'

const megabyte = 1024 * 1024

/** Returns the events of the document, with adjacent texts joined. */
const eventsOf = (pieces: readonly string[], attribute = 'a'): string[] => {
  const events: string[] = []
  let text = ''
  const endText = () => {
    if (text !== '') events.push(text)
    text = ''
  }
  const scan = xmlScan({
    open(name, read) {
      endText()
      events.push(`<${name} ${read(attribute)}>`)
    },
    close(name) {
      endText()
      events.push(`</${name}>`)
    },
    text(more) {
      text += more
    },
  })
  for (const piece of pieces) scan.write(piece)
  scan.end()
  return events
}

it('emits the same events however the document is cut into pieces', () => {
  const source =
    '\uFEFF<?xml version="1.0" encoding="UTF-8"?>\r\n<x:r xmlns:x="y"><!-- <no> --><x:c x:a=\'1 > "0" &amp; &#x41;\'/>a &lt; b &#128512;<![CDATA[<&>]]></x:r >\n'
  const events = ['\r\n', '<r undefined>', '<c 1 > "0" & A>', '</c>', 'a < b 😀<&>', '</r>']
  expect(eventsOf([source])).toEqual(events)
  fc.assert(
    fc.property(fc.array(fc.nat(source.length)), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), source.length]
      expect(eventsOf(at.slice(1).map((to, index) => source.slice(at[index], to)))).toEqual(events)
    }),
  )
})

it('prefers an attribute without a prefix', () => {
  expect(eventsOf(['<c r:id="1" id="2"/>'], 'id')[0]).toBe('<c 2>')
  expect(eventsOf(['<c r:id="1"/>'], 'id')[0]).toBe('<c 1>')
  expect(eventsOf(['<c __proto__="1" constructor="2"/>'], 'constructor')[0]).toBe('<c 2>')
})

it('emits a long text in parts, without holding all of it', () => {
  let maxLength = 0
  const scan = xmlScan({
    open: () => undefined,
    text: (text) => {
      maxLength = Math.max(maxLength, text.length)
    },
  })
  scan.write('<t>')
  for (let megabytes = 0; megabytes < 64; megabytes++)
    for (let piece = 0; piece < 16; piece++) scan.write('x'.repeat(megabyte / 16))
  scan.write('</t>')
  scan.end()
  expect(maxLength).toBeGreaterThan(0)
  expect(maxLength).toBeLessThanOrEqual(2 * megabyte)
})

/** Yields 64 pieces of about 64 KiB, like an archive; the consumer must reject one of them. */
function* endless(start: string, more: string) {
  yield start
  const piece = more.repeat(Math.ceil(65_536 / more.length))
  for (let pieces = 0; pieces < 64; pieces++) yield piece
}

it.each([
  ['a comment', endless('<!--', '- ')],
  ['a name', endless('<', 'n')],
  ['a value', endless('<r a="', 'v')],
  ['an entity', endless('<r>&', 'e')],
  ['an instruction', endless('<?', 'p')],
  ['a document type', endless('<!DOCTYPE r [', '<!ENTITY a "b">')],
  ['a tag that closes', endless('<r></', 'n')],
  ['depth', endless('', '<r>')],
  [
    'attributes',
    (function* () {
      yield '<r'
      for (let index = 0; index < 400_000; index++) yield ` a${index}=""`
    })(),
  ],
])('refuses %s without end', (what, pieces) => {
  let units = 0
  const counted = pieces.map((piece) => {
    units += piece.length
    return piece
  })
  const scan = xmlScan({ open: () => undefined })
  expect(() => {
    for (const piece of counted) scan.write(piece)
  }).toThrow(expect.objectContaining({ code: what === 'depth' ? 'value_too_large' : 'damaged' }))
  expect(units).toBeLessThan(2 * megabyte)
})

it.each([
  '<!DOCTYPE r><r/>',
  '<!doctype r [<!ENTITY a "b">]><r>&a;</r>',
  '<r>&a;</r>',
  '<r>&nbsp;</r>',
  '<r a="&a;"/>',
  '<r>&#0;</r>',
  '<r a="1" hasOwnProperty="2" b="3"/>',
  '<r><b></r></b>',
  '<r>',
  '<r/',
  '</r>',
  '<>',
  '<r></s>',
  '<r/><!ELEMENT r ANY>',
  'text',
  '<r a=1/>',
])('refuses %s', (source) => {
  expect(() => eventsOf([source])).toThrow(expect.objectContaining({ code: 'damaged' }))
})

it('reports an error in a short sentence', () => {
  expect(() => eventsOf(['text'])).toThrow('A part of the file is not valid XML: Non-whitespace before first tag.')
  const name = 'n'.repeat(1000)
  expect(() => eventsOf([`</${name}>`])).toThrow(/^[^\n]{50,200}$/)
})
