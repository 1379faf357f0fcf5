import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { limits } from '@cairn/contracts/limits'
import { codePointLength } from '@cairn/contracts/text/text'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import { collectTexts } from './collect-texts.ts'
import { readFolder } from './read-folder.ts'
import { readReadmes } from './read-readmes.ts'

const write = (root: string, files: Readonly<Record<string, string>>) => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
}

const ids = async (found: ReturnType<typeof readFolder>) => (await collectTexts(found)).texts.map(({ id }) => id)

describe('the texts of the demo', () => {
  it('are the READMEs at the roots of packages, named by the package', async () => {
    const root = temporaryDirectory()
    write(root, {
      'plain/README.md': 'This is the text of plain.',
      'plain/docs/README.md': 'This one is not at the root.',
      'other-case/Readme.md': 'This one is spelled otherwise.',
      '@scope/inner/README.md': 'This is the text of a scope.',
      'plain/node_modules/nested/README.md': 'This is nested in another one.',
      'no-readme/package.json': '{}',
      '.cache/thing/README.md': 'This is in no package at all.',
    })
    const workspace = temporaryDirectory()
    write(workspace, { 'README.md': 'This was written in the repository.' })
    symlinkSync(workspace, join(root, '@scope', 'own'))
    expect(await ids(readReadmes(root))).toEqual(['@scope/inner', 'other-case', 'plain', 'plain/node_modules/nested'])
  })

  it('are the .md and .txt files of a folder, named by their path', async () => {
    const root = temporaryDirectory()
    write(root, {
      'a.md': 'This is the first of the texts.',
      'deeper/b.TXT': '\uFEFFThis is the second of the texts.',
      'deeper/picture.png': 'This is not a text to be read.',
      '.git/c.md': 'This is hidden and left out.',
      'node_modules/d.md': 'This is of others and left out.',
    })
    const { texts, sources } = await collectTexts(readFolder(root))
    expect(texts.map(({ id, text }) => [id, text])).toEqual([
      ['a.md', 'This is the first of the texts.'],
      ['deeper/b.TXT', 'This is the second of the texts.'],
    ])
    expect(sources).toBe(2)
  })

  it('leave out and count what is too short, a copy, or has a name no document can have', async () => {
    const root = temporaryDirectory()
    write(root, {
      'copy.md': 'The very same text twice.',
      'first.md': 'The very same text twice.',
      'short.md': '  short  ',
      [`${'long-name/'.repeat(60)}a.md`]: 'Its path is too long for an id.',
    })
    const { texts, skipped } = await collectTexts(readFolder(root))
    expect(texts).toHaveLength(1)
    expect(skipped).toEqual({ 'identical to another': 1, 'too short': 1, 'with an unusable name': 1 })
  })

  it('come in several documents where they are too long for one', async () => {
    const root = temporaryDirectory()
    const text = `${'a line of text, with a \u{1F600} in it\n'.repeat(4_000)}end of it`
    write(root, { 'long.md': text, 'one-line.txt': 'x'.repeat(limits.maxTextLength + 11) })
    const { texts, sources } = await collectTexts(readFolder(root))
    const parts = texts.filter(({ name }) => name === 'long.md')
    expect(parts.map(({ id }) => id)).toEqual(['long.md', 'long.md#2', 'long.md#3'])
    expect(parts.map((part) => part.text).join('')).toBe(text)
    expect(parts[0]?.text.endsWith('\n')).toBe(true)
    expect(texts.map((part) => codePointLength(part.text) <= limits.maxTextLength)).not.toContain(false)
    expect(texts.filter(({ name }) => name === 'one-line.txt').map(({ text: part }) => part.length)).toEqual([
      limits.maxTextLength,
      11,
    ])
    expect(sources).toBe(2)
  })
})
