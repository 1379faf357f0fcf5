import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

// cairn_<key id>_<secret><checksum>: secret scanners recognize the prefix, a double click selects the whole key, and
// the checksum (6 characters) reveals a typing error without a look-up.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const form = /^cairn_([0-9a-hjkmnp-tv-z]{12})_([0-9a-hjkmnp-tv-z]{32})([0-9a-hjkmnp-tv-z]{6})$/

export type ParsedKey = { readonly keyId: string; readonly secret: string }

/** Draws 5 random bits per character. */
export const randomText = (length: number): string =>
  Array.from(randomBytes(length), (byte) => alphabet[byte % 32]).join('')

const checksum = (keyId: string, secret: string): string => {
  let rest = crc32(`${keyId}_${secret}`)
  let text = ''
  for (let index = 0; index < 6; index += 1) {
    text += alphabet[rest % 32]
    rest = Math.floor(rest / 32)
  }
  return text
}

export const generateApiKey = (): ParsedKey & { readonly apiKey: string } => {
  const keyId = randomText(12)
  const secret = randomText(32)
  return { keyId, secret, apiKey: `cairn_${keyId}_${secret}${checksum(keyId, secret)}` }
}

/** Returns undefined when the form or the checksum is wrong. */
export const parseApiKey = (apiKey: string): ParsedKey | undefined => {
  const [, keyId, secret, check] = form.exec(apiKey) ?? []
  return keyId && secret && check === checksum(keyId, secret) ? { keyId, secret } : undefined
}

/**
 * Returns the hash that is stored in place of a secret, in hex. A slow hash would add nothing, because the secret is
 * random.
 */
export const hashSecret = (hmacKey: Uint8Array, { keyId, secret }: ParsedKey): string =>
  createHmac('sha256', hmacKey).update(`${keyId}_${secret}`).digest('hex')

/** Compares in constant time. */
export const secretMatches = (hmacKey: Uint8Array, key: ParsedKey, storedHash: string): boolean => {
  const actual = Buffer.from(hashSecret(hmacKey, key), 'hex')
  const expected = Buffer.from(storedHash, 'hex')
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
