import { fileNotes } from '@cairn/contracts/files/file-notes'
import { expect, it } from 'vitest'
import { noteCodes } from './block.ts'

it('has a meaning and a remedy for each code, and for the two that no extractor writes', () => {
  expect(Object.keys(fileNotes).sort()).toEqual([...noteCodes, 'read_by_ocr', 'chunks_refused'].sort())
})
