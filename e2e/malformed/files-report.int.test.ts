import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileNotes } from '@cairn/contracts/files/file-notes'
import { fileReasons } from '@cairn/contracts/files/file-reasons'
import { noteCodes } from '@cairn/extract/block'
import { expect, it } from 'vitest'

const report = readFileSync(join(import.meta.dirname, '../../docs/files-report.md'), 'utf8')

const rowsOf = (title: string): string[] => {
  const [, section = ''] = report.split(`\n## ${title}\n`)
  const [content = ''] = section.split('\n## ')
  return content.split('\n').filter((line) => /^\| `[a-z_]+` \|/.test(line))
}

it('docs/files-report.md gives the reasons of failed files in the API’s own words', () => {
  expect(rowsOf('Why a file fails')).toEqual(
    Object.entries(fileReasons).map(([code, { message, remedy }]) => `| \`${code}\` | ${message} | ${remedy} |`),
  )
})

it('explains each note of a file in docs/files-report.md', () => {
  expect(Object.keys(fileNotes).sort()).toEqual([...noteCodes, 'read_by_ocr', 'chunks_refused'].sort())
  expect(rowsOf('Notes')).toEqual(
    Object.entries(fileNotes).map(([code, { meaning, remedy }]) => `| \`${code}\` | ${meaning} | ${remedy} |`),
  )
})
