import type { FileStatus } from '@cairn/client'
import { expect, it } from 'vitest'
import { describeState, factsOf, isFinal, placeBeside } from './file-status.ts'

const processing = (stage: FileStatus['stage'], progress: FileStatus['progress'] = {}) =>
  describeState({ state: 'processing', stage, progress })

it('says which stage a file is in, and how far', () => {
  expect(processing('reading')).toBe('reading')
  expect(processing('reading', { page: 37, pages: 1_412 })).toBe('reading, page 37 of 1,412')
  expect(processing('reading', { page: 37 })).toBe('reading, page 37')
  expect(processing('reading', { rows: 1_200 })).toBe('reading, row 1,200')
  expect(processing('indexing', { page: 37, pages: 412, chunks: 1 })).toBe('indexing, 1 chunk')
  expect(processing('summarising')).toBe('summarizing')
  expect(processing(null)).toBe('processing')
})

it.each([
  ['awaiting_upload', 'waiting for upload'],
  ['queued', 'queued'],
  ['completed', 'completed'],
  ['failed', 'failed'],
] as const)('calls the state %s %s', (state, shown) => {
  expect(describeState({ state, stage: null, progress: { page: 1 } })).toBe(shown)
})

it('reads only the status of an unfinished file again', () => {
  const states = ['awaiting_upload', 'queued', 'processing', 'completed', 'failed'] as const
  expect(states.filter((state) => isFinal({ state }))).toEqual(['completed', 'failed'])
  expect(isFinal(undefined)).toBe(false)
})

it('names the place of a note once', () => {
  const place = { page: 3 }
  expect(placeBeside({ message: 'Page 3 has no text.', place })).toBe('')
  expect(placeBeside({ message: 'A picture was left out.', place })).toBe('page 3')
  expect(placeBeside({ message: 'A font is missing.' })).toBe('')
})

it('names timings once a stage has run, and no size before the upload', () => {
  const counts = { chunks: 1_200, summaries: 0, attempts: 1 }
  expect(factsOf({ ...counts, size: 2_048, timings: { reading: 2, indexing: 0.5 } })).toEqual({
    Size: '2.0 kB',
    Chunks: '1,200',
    Summaries: '0',
    Attempts: '1',
    Timings: 'reading 2.0 s · indexing 500 ms',
  })
  expect(factsOf({ ...counts, size: null, timings: {} })).toMatchObject({ Size: '–' })
  expect(factsOf({ ...counts, size: null, timings: {} })).not.toHaveProperty('Timings')
})
