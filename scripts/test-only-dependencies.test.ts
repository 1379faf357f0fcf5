import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { testOnlyDependencies } from './lib/test-only-dependencies.ts'

it('names a dependency that only tests import, and none that the product imports or opens', () => {
  const root = temporaryDirectory()
  mkdirSync(join(root, 'services/mail'), { recursive: true })
  const dependencies = { zod: '1', '@cairn/domain': '*', '@cairn/adapters': '*', '@tesseract.js-data/eng': '1' }
  writeFileSync(join(root, 'services/mail/package.json'), JSON.stringify({ dependencies }))
  const imports = [
    { file: 'services/mail/src/main.ts', names: ['zod', '@cairn/domain/ids'] },
    { file: 'services/mail/src/main.int.test.ts', names: ['@cairn/adapters/clock/system'] },
    { file: 'services/other/src/main.ts', names: ['@cairn/adapters/clock/system'] },
  ]
  expect(testOnlyDependencies(root, imports)).toEqual(['services/mail: @cairn/adapters'])
})
