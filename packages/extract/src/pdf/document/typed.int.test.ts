import { writeFileSync } from 'node:fs'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { writePdf } from '../pdf.fixture.ts'
import { extractPdf } from '../read.ts'

const textsOf = async (annotations: readonly string[], lines: readonly string[] = ['Application']) => {
  const path = temporaryFile('form.pdf')
  writeFileSync(path, writePdf({ pages: [{ lines, annotations }] }))
  const events = await Array.fromAsync(extractPdf(path, { ocr: false }))
  return events.flatMap((event) => (event.event === 'block' ? [event.block.text] : []))
}

const at = (top: number, left = 100) => `/Rect [${left} ${top - 20} ${left + 90} ${top}]`
const field = (type: string, name: string, rest: string) => `/Subtype /Widget /FT /${type} /T (${name}) ${rest}`
const boxes = '/AP << /N << /Yes 3 0 R /Off 3 0 R >> >>'

it('reads values of fields behind their labels, from top to bottom, after the text of the page', async () => {
  const texts = await textsOf([
    field('Tx', 'city', `/V (Lillehammer) ${at(500)}`),
    field('Tx', 'form[0].name[0]', `/TU (Full name) /V (Ann Moor) ${at(600)}`),
    field('Tx', 'remarks', `/Ff 4096 /V (First line\\rsecond line) ${at(400)}`),
  ])
  expect(texts).toEqual(['Application', 'Full name: Ann Moor', 'city: Lillehammer', 'remarks: First line\nsecond line'])
})

it('reads choices as they are shown, and the state of boxes', async () => {
  const options = '/Opt [[(e1) (Tea)] [(e2) (Coffee)] [(e3) (Water)]]'
  const texts = await textsOf([
    field('Ch', 'drink', `/Ff 131072 ${options} /V (e2) ${at(600)}`),
    field('Ch', 'also', `/Ff 2097152 ${options} /V [(e1) (e3)] ${at(550)}`),
    field('Btn', 'newsletter', `${boxes} /V /Yes /AS /Yes ${at(500)}`),
    field('Btn', 'insurance', `${boxes} /V /Off /AS /Off ${at(450)}`),
  ])
  expect(texts).toEqual(['Application', 'drink: Coffee', 'also: Tea, Water', '☒ newsletter', '☐ insurance'])
})

it('reads texts and comments that were added to a page, each once', async () => {
  const texts = await textsOf([
    `/Subtype /FreeText /DA (/F1 12 Tf) /Contents (The fee is 550 crowns) ${at(600)}`,
    `/Subtype /Text /Contents (Ask the mayor) ${at(500)}`,
    `/Subtype /Popup /Contents (Ask the mayor) ${at(480)}`,
    `/Subtype /Link /Contents (a link) ${at(300)}`,
  ])
  expect(texts).toEqual(['Application', 'The fee is 550 crowns', 'Ask the mayor'])
})

it('reads the beginning of a comment that is too long to be read whole', async () => {
  const comment = 'All is well. '.repeat(50_000)
  const texts = await textsOf([`/Subtype /Text /Contents (${comment}) ${at(500)}`])
  const read = texts.slice(1).join(' ')
  expect(read.length).toBeGreaterThan(500_000)
  expect(comment.startsWith(read.slice(0, -20))).toBe(true)
})

it('reads each of two equal comments', async () => {
  const comment = (y: number) => `/Subtype /FreeText /DA (/F1 12 Tf) /Contents (Approved) ${at(y)}`
  expect(await textsOf([comment(600), comment(300)])).toEqual(['Application', 'Approved', 'Approved'])
})

it('reads equal values of different fields, and that of a choice whose buttons have no picture', async () => {
  const texts = await textsOf([
    field('Tx', 'home.city', `/V (Oslo) ${at(600)}`),
    field('Tx', 'work.city', `/V (Oslo) ${at(550)}`),
    field('Btn', 'size', `/Ff 32768 /V /L ${at(500)}`),
    field('Btn', 'color', `/Ff 32768 /V /Off ${at(450)}`),
  ])
  expect(texts).toEqual(['Application', 'home city: Oslo', 'work city: Oslo', 'size: L'])
})

it('leaves out empty fields, passwords, signatures, buttons, and what a reader does not show', async () => {
  const texts = await textsOf([
    field('Tx', 'empty', at(600)),
    field('Tx', 'pin', `/Ff 8192 /V (1234) ${at(550)}`),
    field('Sig', 'signature', at(500)),
    field('Btn', 'send', `/Ff 65536 ${at(450)}`),
    field('Tx', 'hidden', `/F 2 /V (a secret) ${at(400)}`),
    `/Subtype /Text /F 32 /Contents (not on screen) ${at(350)}`,
  ])
  expect(texts).toEqual(['Application'])
})

it('reads a file that has text only in its form fields', async () => {
  expect(await textsOf([field('Tx', 'fruit', `/V (Quinces are ripe) ${at(600)}`)], [])).toEqual([
    'fruit: Quinces are ripe',
  ])
})

it('reads up to 20,000 annotations of a page, with a note if there are more', { timeout: 60_000 }, async () => {
  const read = async (count: number) => {
    const path = temporaryFile('form.pdf')
    const annotations = Array.from({ length: count }, (_, index) => `/Subtype /Text /Contents (c${index}) ${at(600)}`)
    writeFileSync(path, writePdf({ pages: [{ lines: ['Application'], annotations }] }))
    const events = await Array.fromAsync(extractPdf(path, { ocr: false }))
    return {
      texts: events.filter(({ event }) => event === 'block').length,
      notes: events.flatMap((event) => (event.event === 'note' ? [event.code] : [])),
    }
  }
  expect(await read(20_000)).toEqual({ texts: 20_001, notes: [] })
  expect(await read(20_001)).toEqual({ texts: 20_001, notes: ['truncated'] })
})
