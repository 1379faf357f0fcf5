import { z } from 'zod'
import { noteCodes } from '../block.ts'
import { maxBlockUnits } from '../shared/block-writer.ts'

/** Length of the encoded places of the longest block, with a place for each of its units. */
const maxPlaces = Math.ceil((maxBlockUnits * 10 + 1) / 3) * 4

const count = z.int().nonnegative()
const stretch = z.object({ from: count, to: count })

const place = z.object({
  page: count.exactOptional(),
  pageTitle: z.string().exactOptional(),
  running: z.string().exactOptional(),
  sheet: z.string().exactOptional(),
  rows: stretch.exactOptional(),
  path: z.string().exactOptional(),
  offset: stretch.exactOptional(),
})

const reasonCode = z.enum([
  'empty_file',
  'content_mismatch',
  'damaged',
  'encrypted',
  'no_text',
  'expands_too_large',
  'too_large_to_process',
  'too_slow_to_process',
  'value_too_large',
  'unknown_encoding',
  'parser_crashed',
])

const block = z.object({
  seq: count,
  kind: z.enum(['heading', 'text', 'row', 'table']),
  text: z.string(),
  level: z.int().min(1).max(6).exactOptional(),
  header: z.string().exactOptional(),
  at: place,
  places: z.string().max(maxPlaces).exactOptional(),
})

/** One line from the child. It has read an untrusted file, so every message is validated. */
export const childMessage = z.discriminatedUnion('event', [
  z.object({ event: z.literal('properties'), properties: z.looseObject({ title: z.string().exactOptional() }) }),
  z.object({ event: z.literal('block'), block }),
  z.object({
    event: z.literal('progress'),
    page: count.exactOptional(),
    pages: count.exactOptional(),
    rows: count.exactOptional(),
    bytes: count.exactOptional(),
  }),
  z.object({ event: z.literal('note'), code: z.enum(noteCodes), message: z.string(), at: place.exactOptional() }),
  z.object({ event: z.literal('ocr'), page: count, confidence: z.number() }),
  z.object({ event: z.literal('end') }),
  z.object({ event: z.literal('unreadable'), code: reasonCode, message: z.string() }),
  /** Internal error. `invalid`: the request's options were invalid. */
  z.object({ event: z.literal('failed'), message: z.string(), invalid: z.boolean() }),
])

export type ChildMessage = z.infer<typeof childMessage>
