import { describePlace, type FileNote, type FileStatus } from '@cairn/client'
import { bytes, number, plural, stageTimes } from '../format.ts'
import type { Tone } from '../parts.tsx'

export const isFinal = (status: Pick<FileStatus, 'state'> | undefined): boolean =>
  status?.state === 'completed' || status?.state === 'failed'

export const tones: Readonly<Record<FileStatus['state'], Tone>> = {
  awaiting_upload: 'neutral',
  queued: 'busy',
  processing: 'busy',
  completed: 'good',
  failed: 'bad',
}

const stages: Readonly<Record<NonNullable<FileStatus['stage']>, string>> = {
  waiting: 'waiting',
  fetching: 'fetching',
  reading: 'reading',
  indexing: 'indexing',
  summarising: 'summarizing',
  publishing: 'publishing',
  cleaning: 'cleaning up',
  done: 'done',
}

const positionOf = ({ stage, progress }: Pick<FileStatus, 'stage' | 'progress'>): string => {
  const { page, pages, rows, chunks } = progress
  if (stage === 'indexing' && chunks !== undefined) return plural(chunks, 'chunk')
  if (page !== undefined) return `page ${number(page)}${pages === undefined ? '' : ` of ${number(pages)}`}`
  return rows === undefined ? '' : `row ${number(rows)}`
}

/** Returns for example `reading, page 37 of 412`. */
export const describeState = (status: Pick<FileStatus, 'state' | 'stage' | 'progress'>): string => {
  if (status.state === 'awaiting_upload') return 'waiting for upload'
  if (status.state !== 'processing') return status.state
  const position = positionOf(status)
  return `${status.stage ? stages[status.stage] : 'processing'}${position && `, ${position}`}`
}

export const placeBeside = (note: Pick<FileNote, 'message' | 'place'>): string => {
  const place = describePlace(note)
  return note.message.toLowerCase().includes(place.toLowerCase()) ? '' : place
}

type Facts = Pick<FileStatus, 'size' | 'chunks' | 'summaries' | 'attempts' | 'timings'>

export const factsOf = ({ size, chunks, summaries, attempts, timings }: Facts): Readonly<Record<string, string>> => {
  const times = stageTimes(Object.entries(timings))
  return {
    Size: size === null ? '–' : bytes(size),
    Chunks: number(chunks),
    Summaries: number(summaries),
    Attempts: number(attempts),
    ...(times ? { Timings: times } : {}),
  }
}
