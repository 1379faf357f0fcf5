import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repeatedLines } from './lib/repeated-lines.ts'

const root = join(import.meta.dirname, '..')

it('finds no repeated line in README.md and docs/', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })]
  expect(pages.length).toBeGreaterThan(40)
  expect(pages.flatMap((page) => repeatedLines(page, readFileSync(join(root, page), 'utf8')))).toEqual([])
})

const sentence = 'The client is installed from this checkout, and works on any Node'

it.each([
  [
    'a sentence twice in a row',
    `${sentence}; \`npx tsx\` runs it:\n${sentence}:`,
    ['a.md:2: begins like the line above'],
  ],
  ['a line twice on a page', `${sentence}.\n\nText.\n\n${sentence}.`, ['a.md:5: repeats line 1']],
  ['prose directly below code', '```sh\nls\n```\nText.', ['a.md:4: a blank line is missing below the code block']],
  ['code and rows of tables', `\`\`\`sh\n${sentence}\n${sentence}\n\`\`\`\n\n| ${sentence} |\n| ${sentence} |`, []],
  ['short lines', 'Run it:\n\nRun it:', []],
])('judges %s', (_, markdown, faults) => {
  expect(repeatedLines('a.md', markdown)).toEqual(faults)
})
