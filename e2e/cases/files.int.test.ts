import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileType } from '@cairn/contracts/files/file-rules'
import { runExtractor } from '@cairn/extract/child/run-extractor'
import { describe, expect, it } from 'vitest'
import { expected } from './expected.ts'

const folder = join(import.meta.dirname, '../../../shared/cases/files')
const list = join(folder, '../files.md')

const read = async (path: string) => {
  const texts: string[] = []
  const notes: string[] = []
  const type = path.slice(path.lastIndexOf('.') + 1) as FileType
  for await (const event of runExtractor({ type, path: join(folder, path), options: {} })) {
    if (event.event === 'block') texts.push(event.block.text)
    else if (event.event === 'note') notes.push(event.code)
  }
  return { text: texts.join('\n'), notes }
}

describe('files of other projects', () => {
  if (!existsSync(list))
    return it('are beside this checkout', ({ skip }) => skip('no files of other projects beside this checkout'))
  it.each(Object.entries(expected))('%s', { timeout: 60_000 }, async (path, { has, not = [], notes = [] }) => {
    const { text, notes: codes } = await read(path)
    for (const part of has) expect(text).toContain(part)
    for (const part of not) expect(text).not.toContain(part)
    expect(codes).toEqual(expect.arrayContaining([...notes]))
  })

  it('all have an expectation, but those whose text is not read as it stands', () => {
    const named = readFileSync(list, 'utf8').matchAll(/\| (real\/[^|]+?) \|/g)
    const without = [...new Set([...named].map(([, path]) => path as string))].filter((path) => !(path in expected))
    expect(without.toSorted()).toEqual([
      'real/docx/poi__unicode-path.docx',
      'real/pdf/pdfjs__Type3WordSpacing.pdf',
      'real/pdf/pdfjs__bug894572.pdf',
      'real/pdf/pdfjs__endchar.pdf',
      'real/pdf/pdfjs__function_based_shading.pdf',
      'real/pdf/pdfjs__issue1985.pdf',
      'real/pdf/pdfjs__rotated_freetexts.pdf',
    ])
  })
})
