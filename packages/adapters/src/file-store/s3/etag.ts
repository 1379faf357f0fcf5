import { createHash } from 'node:crypto'

export const withoutQuotes = (etag: string | undefined): string => (etag ?? '').replace(/^"(.*)"$/, '$1')

/**
 * S3's etag of a multipart object: the MD5 of the parts' MD5s, and the number of parts. Undefined if the parts' etags
 * are not MD5s (some kinds of encryption).
 */
export const etagOfParts = (etags: readonly string[]): string | undefined => {
  const plain = etags.map(withoutQuotes)
  if (!plain.every((etag) => /^[0-9a-f]{32}$/.test(etag))) return undefined
  const sums = Buffer.concat(plain.map((etag) => Buffer.from(etag, 'hex')))
  return `${createHash('md5').update(sums).digest('hex')}-${plain.length}`
}
