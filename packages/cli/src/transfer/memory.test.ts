import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import { fileMemory } from './memory.ts'

const entry = { size: 1, changedMs: 2, sha256: 'x', lastModified: 'y' }
const newFile = () => join(temporaryDirectory(), 'deep/er/m.json')

describe('the memory of sent files', () => {
  it('is what was saved, readable by its owner only', () => {
    const file = newFile()
    const memory = fileMemory(file)
    memory.set('a.md', entry)
    memory.set('b.md', entry)
    expect(fileMemory(file).names()).toEqual([])
    memory.save()
    memory.delete('a.md')
    expect(fileMemory(file).get('a.md')).toEqual(entry)
    memory.save()
    expect(fileMemory(file).names()).toEqual(['b.md'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(file))).toEqual(['m.json'])
  })

  it('keeps what two commands save at the same time', () => {
    const file = newFile()
    const [one, two] = [fileMemory(file), fileMemory(file)]
    one.set('a.md', entry)
    two.set('b.md', entry)
    two.save()
    one.save()
    two.delete('b.md')
    one.set('c.md', entry)
    one.save()
    two.save()
    expect(fileMemory(file).names().toSorted()).toEqual(['a.md', 'c.md'])
  })

  it('is empty if its file is damaged', () => {
    const file = join(temporaryDirectory(), 'm.json')
    for (const text of ['', '{', '[]', '{"a.md":{}}', 'null']) {
      writeFileSync(file, text)
      expect(fileMemory(file).names()).toEqual([])
    }
  })
})
