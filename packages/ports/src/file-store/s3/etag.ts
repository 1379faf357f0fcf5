import { createHash } from 'node:crypto'

export const withoutQuotes = (etag: string | undefined): string => (etag ?? '').replace(/^"(.*)"$/, '$1')

/**
 * What S3 gives an object made of parts: the MD5 of their MD5s and how many they are. Undefined where the parts' etags are none
 * (some kinds of encryption), and then nobody can tell.
 */
export const etagOfParts = (etags: readonly string[]): string | undefined => {
  const plain = etags.map(withoutQuotes)
  if (!plain.every((etag) => /^[0-9a-f]{32}$/.test(etag))) return undefined
  const sums = Buffer.concat(plain.map((etag) => Buffer.from(etag, 'hex')))
  return `${createHash('md5').update(sums).digest('hex')}-${plain.length}`
}
