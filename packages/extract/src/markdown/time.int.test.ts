import { expect, it } from 'vitest'
import { readFile } from '../read-file.fixture.ts'
import { readFrontMatter } from './front-matter.ts'

it('reads long lines that resemble a delimiter row in linear time', async () => {
  const line = `-${' '.repeat(19_900)}x|`
  const { blocks } = await readFile('md', `a | b\n${line}\n`.repeat(200))
  expect(blocks.length).toBeGreaterThan(0)
}, 20_000)

it.each([
  `${'['.repeat(40_000)}\n`,
  `# ${'*a_'.repeat(10_000)}\n`,
  `${'> '.repeat(20_000)}x\n`,
  `${'|'.repeat(40_000)}\n${'|-'.repeat(9_000)}\n`,
  `${'-'.repeat(40_000)} x\n`,
  `a\n${' '.repeat(40_000)}=\n`,
])('reads long hostile lines within 9 seconds (%#)', async (hostile) => {
  const started = performance.now()
  await readFile('md', `text\n\n${hostile.repeat(5)}`)
  expect(performance.now() - started).toBeLessThan(9_000)
})

it.each([
  `a: "${'\\'.repeat(60_000)}`,
  `b: [${'"'.repeat(60_000)}]`,
  `${'c '.repeat(30_000)}: x`,
  `d: '${"''".repeat(30_000)}`,
  `e: x${' '.repeat(60_000)}y`,
  `f: ${'['.repeat(60_000)}`,
  `g: ${'{a: '.repeat(15_000)}`,
  '- '.repeat(30_000),
  'a: '.repeat(20_000),
  `h: [${','.repeat(60_000)}]`,
  `i: &i 1\nj: [${'*i,'.repeat(20_000)}]`,
  '&a '.repeat(20_000),
  '!a '.repeat(20_000),
])('reads hostile front matter within 8 seconds (%#)', (hostile) => {
  const started = performance.now()
  readFrontMatter(hostile.split('\n'))
  expect(performance.now() - started).toBeLessThan(8_000)
})

it('reads 800 KB within 30 seconds', async () => {
  const paragraph = `${'The *first* boat leaves at `six` on [Sundays](http://a.example/c). '.repeat(6)}\n\n`
  const { blocks } = await readFile('md', paragraph.repeat(2_000))
  expect(blocks.length).toBe(2_000)
}, 30_000)

it.each([
  '*a_',
  '> ',
  '1) ',
  '[a](',
  '[^a]',
  '<!--',
  '`a``b',
  '{% ',
  '{: .a',
  '[[a|',
  '!!! a',
  '|a',
  '<x y="',
  ':::',
  '[a]: x "',
])(
  'reads 60,000 repetitions of %s within 9 seconds',
  async (mark) => {
    const started = performance.now()
    await readFile('md', `text\n\n${mark.repeat(60_000)}\n\n${`${mark}\n`.repeat(20_000)}\n[^a]: x\n`)
    expect(performance.now() - started).toBeLessThan(9_000)
  },
  20_000,
)
