import { expect, it } from 'vitest'
import { deriveKey, type KeyPurpose } from './derive-key.ts'

const purposes: readonly KeyPurpose[] = ['api-key', 'cursor', 'signed-url']

it('gives each purpose a key of its own, the same every time', () => {
  const keys = purposes.map((purpose) => deriveKey('a secret of an installation', purpose).toString('hex'))
  expect(new Set(keys).size).toBe(purposes.length)
  for (const key of keys) expect(key).toMatch(/^[\da-f]{64}$/)
  expect(purposes.map((purpose) => deriveKey('a secret of an installation', purpose).toString('hex'))).toEqual(keys)
})

it('gives other keys for another secret', () => {
  expect(deriveKey('one', 'cursor').equals(deriveKey('two', 'cursor'))).toBe(false)
})

it('keeps its keys from version to version, or every stored API key would stop working', () => {
  expect(deriveKey('a secret of an installation', 'api-key').toString('hex')).toBe(
    '4aeb3a0a939d6d7e9e9264ef453a96194706e89ee1402d37ab51e33b15083a5d',
  )
})
