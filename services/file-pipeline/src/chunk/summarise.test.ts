import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { describe, expect, it } from 'vitest'
import { extractiveSummariser } from './summarise.ts'

const embedder = lexicalEmbedder()
const summarise = extractiveSummariser(embedder)

const chunk = (text: string, heading = '') => ({ text, heading })

describe('extractiveSummariser', () => {
  it('picks sentences about what the chunks have in common, in reading order', async () => {
    const chunks = [
      chunk('Bees\n\nHoney bees live in colonies with one queen. The weather was fine on the day of our visit.'),
      chunk('A colony of honey bees feeds on honey and pollen in winter. My brother drives a green tractor to work.'),
      chunk(
        'Beekeepers take honey from the colonies of bees in late summer. Nobody remembered the password of the printer.',
      ),
    ]
    const summary = await extractiveSummariser(embedder, 3)(chunks)
    expect(summary).toBe(
      'Honey bees live in colonies with one queen. A colony of honey bees feeds on honey and pollen in winter. ' +
        'Beekeepers take honey from the colonies of bees in late summer.',
    )
  })

  it('does not repeat a statement', async () => {
    const same = 'The harbour of the old town was built in the ninth century.'
    const alike = 'The harbour of the old town was built in the ninth century by monks.'
    const other = 'Fishing boats leave the harbour of the old town before sunrise.'
    const summary = await extractiveSummariser(embedder, 2)([chunk(`${same} ${alike}`), chunk(`${same} ${other}`)])
    expect(summary).toContain(other)
  })

  it('returns at most five sentences and 1,000 characters', async () => {
    const chunks = Array.from({ length: 100 }, (_, index) =>
      chunk(
        Array.from(
          { length: 12 },
          (_, position) => `Sentence ${position} of part ${index} tells of ${'many things and '.repeat(15)}more.`,
        ).join(' '),
      ),
    )
    const summary = await summarise(chunks)
    expect(Array.from(summary).length).toBeLessThanOrEqual(1_000)
    expect(summary.length).toBeGreaterThan(500)
    const short = await summarise([
      chunk(Array.from({ length: 40 }, (_, index) => `Number ${index} is a sentence about the sea.`).join(' ')),
    ])
    expect(short.match(/is a sentence/g)).toHaveLength(5)
  })

  it('returns the same text for the same chunks', async () => {
    const chunks = [
      chunk('First there was a plan. Then the plan was changed by everyone. Nobody knew the plan in the end.'),
    ]
    expect(await summarise(chunks)).toBe(await summarise(chunks))
  })

  it('leaves out lines of tables and headings if there are sentences', async () => {
    const summary = await summarise([
      chunk(
        'Prices\n\nAll prices of the fruit are in crowns.\n\n| fruit | price |\n| - | - |\n| apples and pears. | 12 |',
        'Prices',
      ),
    ])
    expect(summary).toBe('All prices of the fruit are in crowns.')
  })

  it('removes the marks of list items and quotes', async () => {
    const summary = await summarise([
      chunk(
        '- The first item is about the harbour.\n- The second item is about the boats.\n\n> 1. A quote is about the sea.',
      ),
    ])
    expect(summary).toBe(
      'The first item is about the harbour. The second item is about the boats. A quote is about the sea.',
    )
  })

  it('falls back to lines without sentences, and to the beginning of a text without lines', async () => {
    expect(await summarise([chunk('name: Ada\nyear: 1815')])).toBe('name: Ada year: 1815')
    const endless = await summarise([chunk('word'.repeat(5_000))])
    expect(Array.from(endless).length).toBe(1_000)
    expect(await summarise([chunk('--- ***')])).toBe('--- ***')
  })

  it('finds sentences of scripts without spaces and of right-to-left scripts', async () => {
    expect(await summarise([chunk('今日は天気がいいです。港には船がたくさんあります。')])).toBe(
      '今日は天気がいいです。 港には船がたくさんあります。',
    )
    expect(
      await summarise([chunk('هل وصلت السفينة إلى الميناء القديم؟ نعم وصلت السفينة في الصباح الباكر.')]),
    ).toContain('؟')
  })
})
