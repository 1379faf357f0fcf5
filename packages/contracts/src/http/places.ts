import * as z from 'zod'
import { count, text } from './common.ts'

const share = z.number().min(0).max(1)
const fromOne = z.int().min(1)
const span = z.object({ from: fromOne, to: fromOne })

export const place = z
  .object({
    file: text.describe('Name of the file.'),
    page: fromOne.optional().describe('Page of a PDF or of a picture.'),
    boxes: z
      .array(z.object({ left: share, top: share, width: share, height: share }))
      .optional()
      .describe(
        'Where the text stands on the page: a box for each line, in parts of the page’s width and height as displayed, measured from its upper left corner.',
      ),
    slide: fromOne.optional(),
    sheet: text.optional(),
    rows: span.optional().describe('Rows of a sheet or a CSV file, from 1, the header included; both ends inclusive.'),
    columns: span.optional().describe('Columns of these rows, from 1; both ends inclusive.'),
    heading: text.optional().describe('The headings above the text, outermost first, joined by ` > `.'),
    pointer: text.optional().describe('JSON Pointer (RFC 6901) to the value in a JSON file.'),
    part: text.optional().describe('Path of the chapter within an EPUB file.'),
    offset: z
      .object({ from: count, to: count })
      .optional()
      .describe('Range of the decoded text of a text or Markdown file, in UTF-16 code units, the end excluded.'),
  })
  .meta({ id: 'Place' })

export type Place = z.infer<typeof place>
