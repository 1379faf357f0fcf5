import { describe, expect, it } from 'vitest'
import { generateApiKey, hashSecret, parseApiKey, secretMatches } from './api-key.ts'

const hmacKey = Buffer.alloc(32, 1)

describe('API keys', () => {
  it('are read back as they were made', () => {
    const { apiKey, keyId, secret } = generateApiKey()
    expect(apiKey).toMatch(/^cairn_[0-9a-z]{12}_[0-9a-z]{38}$/)
    expect(parseApiKey(apiKey)).toEqual({ keyId, secret })
  })

  it('show a typing error by their checksum', () => {
    const { apiKey } = generateApiKey()
    for (let index = 'cairn_'.length; index < apiKey.length; index += 1) {
      const typo = `${apiKey.slice(0, index)}${apiKey[index] === 'a' ? 'b' : 'a'}${apiKey.slice(index + 1)}`
      expect(parseApiKey(typo)).toBeUndefined()
    }
  })

  it.each(['', 'cairn_', 'sk_123', `cairn_${'a'.repeat(10_000)}`, ' ', 'cairn_aaaaaaaaaaaa_'])(
    'are not taken from %j',
    (text) => {
      expect(parseApiKey(text)).toBeUndefined()
    },
  )

  it('are kept as a hash that only their secret matches', () => {
    const key = generateApiKey()
    const kept = hashSecret(hmacKey, key)
    expect(kept).not.toContain(key.secret)
    expect(secretMatches(hmacKey, key, kept)).toBe(true)
    expect(secretMatches(hmacKey, { ...generateApiKey(), keyId: key.keyId }, kept)).toBe(false)
    expect(secretMatches(Buffer.alloc(32, 2), key, kept)).toBe(false)
    expect(secretMatches(hmacKey, key, '')).toBe(false)
  })

  it('are all different', () => {
    expect(new Set(Array.from({ length: 500 }, () => generateApiKey().apiKey)).size).toBe(500)
  })
})
