import { fileTypes } from '@cairn/contracts/files/file-rules'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeOn } from '../describe-on.ts'
import { type Canaries, openCanaries } from '../malformed/canaries.ts'
import { figuresOf, linesOf } from '../malformed/report.ts'
import { runType } from '../malformed/run.ts'
import { useStandalone } from '../story.ts'

/**
 * Number of files per type; `npm run malformed` uploads a thousand. This seed draws no file that takes a minute to
 * read.
 */
const count = 16
const seed = 12

describeOn(['standalone'], 'malformed files', () => {
  // At this level, the log has the time and memory that reading a file took.
  const story = useStandalone({ env: { CAIRN_LOG_LEVEL: 'info' } })
  let canaries: Canaries
  beforeAll(async () => {
    canaries = await openCanaries()
  })
  afterAll(() => canaries.close())

  it.each(fileTypes)(
    'of the type %s end with the right reason or with their own text, and touch nothing else',
    {
      timeout: 300_000,
    },
    async (type) => {
      const run = await runType(story.target, canaries, type, { count, seed })
      expect(run.ended).toHaveLength(count)
      expect(run.findings, linesOf(figuresOf(run)).join('\n')).toEqual([])
      expect(run.ended.filter(({ reading }) => reading).length).toBeGreaterThan(0)
    },
  )
})
