import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { deadLinks, headingSlug } from './lib/markdown-links.ts'

const root = join(import.meta.dirname, '..')

it('finds every file and heading that the pages link to', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: root })]
  expect(pages.length).toBeGreaterThan(40)
  expect(deadLinks(root, pages)).toEqual([])
})

it('lists every decision', () => {
  const names = globSync('*.md', { cwd: join(root, 'docs/adr') }).filter((name) => name !== 'index.md')
  const index = readFileSync(join(root, 'docs/adr/index.md'), 'utf8')
  expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([])
})

it('names the page, the line and what is missing', () => {
  const folder = temporaryDirectory()
  mkdirSync(join(folder, 'docs'))
  writeFileSync(
    join(folder, 'docs/b.md'),
    '# One heading\n\n## The `code` of it: a test\n\n## Twice\n\n## Twice\n\n```sh\n# none\n```\n',
  )
  const links = [
    '[a](docs/b.md)',
    '[a](docs/b.md#one-heading) [a](docs/b.md#the-code-of-it-a-test)',
    '[a](docs/b.md#twice) [a](docs/b.md#twice-1) [a](#here)',
    '[a](https://example.org/none) [a](docs) [a](mailto:a@example.org)',
    '# Here',
    '`[a](none.md)`',
    '```md\n[a](none.md)\n```',
    '[a](docs/c.md)',
    '[a](docs/b.md#none)',
    '![a](docs/a.png) [a](#nowhere)',
  ]
  writeFileSync(join(folder, 'a.md'), links.join('\n'))
  expect(deadLinks(folder, ['a.md'])).toEqual([
    'a.md:10: docs/c.md does not exist',
    'a.md:11: docs/b.md has no heading #none',
    'a.md:12: docs/a.png does not exist',
    'a.md:12: a.md has no heading #nowhere',
  ])
})

it('makes fragments as GitHub does', () => {
  expect(headingSlug('Errors, keys and limits')).toBe('errors-keys-and-limits')
  expect(headingSlug('1. Start a server')).toBe('1-start-a-server')
  expect(headingSlug('Größe & Maß')).toBe('größe--maß')
})
