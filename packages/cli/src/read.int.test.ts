import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runExtractor } from '@cairn/extract/child/run-extractor'
import { createPdf } from '@cairn/testing/material/create-pdf'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { cairn } from './run.fixture.ts'

const folderWith = (files: Readonly<Record<string, string | Uint8Array>>): string => {
  const folder = join(temporaryDirectory(), 'files')
  mkdirSync(folder)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

const notes = '---\ntitle: Tides\n---\n# High *water*\n\nTwice a day, see [the table](https://example.org/t).\n'
const table = 'ship,built\nBrigid,2003\nMaeve,2011\n'

it('prints the text of a file as Markdown', async () => {
  const folder = folderWith({ 'notes.md': notes, 'ships.csv': table })
  expect(await cairn({}, 'read', join(folder, 'notes.md'))).toEqual({
    code: 0,
    out: '# High water\n\nTwice a day, see the table.\n',
    err: '',
  })
  expect((await cairn({}, 'read', join(folder, 'ships.csv'))).out).toBe(
    'ship | built\n\nship: Brigid\nbuilt: 2003\n\nship: Maeve\nbuilt: 2011\n',
  )
})

it('prints blocks with their places, properties and notes as JSON', async () => {
  const folder = folderWith({ 'notes.md': notes })
  const { out } = await cairn({}, 'read', join(folder, 'notes.md'), '--format', 'json')
  expect(JSON.parse(out)).toEqual({
    file: 'notes.md',
    properties: { title: 'Tides' },
    blocks: [
      { kind: 'heading', level: 1, text: 'High water', at: { offset: { from: 21, to: 35 } } },
      { kind: 'text', text: 'Twice a day, see the table.', at: { offset: { from: 37, to: 89 } } },
    ],
    notes: [],
  })
  expect((await cairn({}, 'read', join(folder, 'notes.md'), '--json')).out).toContain('"title": "Tides"')
})

it('prints every block that a server cuts into chunks', async () => {
  const { bytes } = await createPdf(1)
  const folder = folderWith({ 'report.pdf': bytes })
  const path = join(folder, 'report.pdf')
  const { out } = await cairn({}, 'read', path)
  const blocks = []
  for await (const message of runExtractor({ type: 'pdf', path, options: {} }))
    if (message.event === 'block') blocks.push(message.block.text)
  expect(blocks.length).toBeGreaterThan(0)
  expect(blocks.filter((text) => !out.includes(text))).toEqual([])
})

it('writes a file for each of several, and goes on after one that cannot be read', async () => {
  const folder = folderWith({ 'notes.md': notes, 'ships.csv': table, 'torn.pdf': 'not a pdf', 'left-out.bin': 'x' })
  const out = join(folder, 'text')
  const result = await cairn({}, 'read', folder, '--out', out)
  expect(result.code).toBe(1)
  expect(result.err).toMatch(/files\/torn\.pdf: .*pdf/i)
  expect(result.err).toContain("1 of 3 files can't be read")
  expect(readFileSync(join(out, 'files/notes.md.md'), 'utf8')).toContain('# High water')
  expect(readFileSync(join(out, 'files/ships.csv.md'), 'utf8')).toContain('ship: Maeve')
})

it.each([
  [['read', 'a.md', 'b.md'], 'More than one file needs --out'],
  [['read', 'a.md', '--format', 'html'], '--format must be markdown or json'],
  [['read', 'c.bin'], 'is not a file of these types'],
  [['read', 'missing.md'], "missing.md can't be read (ENOENT)"],
])('refuses %j', async ([command = '', ...args], message) => {
  const folder = folderWith({ 'a.md': notes, 'b.md': notes, 'c.bin': 'x' })
  const paths = args.map((arg) => (/^\w+\.\w+$/.test(arg) ? join(folder, arg) : arg))
  const { code, out, err } = await cairn({}, command, ...paths)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(message)
})
