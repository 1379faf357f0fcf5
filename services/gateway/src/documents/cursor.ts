import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** A cursor is invalid for others, and for a namespace created again under the same name. */
export type CursorBinding = { readonly accountId: string; readonly namespaceId: string }

const ivBytes = 16
const macBytes = 16
/** A file name has at most 700 bytes, which JSON may double; other values may stand beside it. */
const maxTokenLength = 2_048

/** Encrypts cursors, so that they reveal nothing about a store, and authenticates them by HMAC-SHA-256. */
export const createCursors = (key: Uint8Array) => {
  const derived = (use: string) => Buffer.from(hkdfSync('sha256', key, '', use, 32))
  const [cipherKey, macKey] = [derived('cipher'), derived('mac')]
  const macOf = (sealed: Buffer, { accountId, namespaceId }: CursorBinding) =>
    createHmac('sha256', macKey)
      .update(JSON.stringify([accountId, namespaceId]))
      .update(sealed)
      .digest()
      .subarray(0, macBytes)
  return {
    seal: (after: string, binding: CursorBinding): string => {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-ctr', cipherKey, iv)
      const sealed = Buffer.concat([iv, cipher.update(after, 'utf8'), cipher.final()])
      return Buffer.concat([sealed, macOf(sealed, binding)]).toString('base64url')
    },
    /** Returns undefined for any token that was not issued here for this binding. */
    open: (token: string, binding: CursorBinding): string | undefined => {
      if (token.length > maxTokenLength || !/^[\w-]+$/.test(token)) return undefined
      const bytes = Buffer.from(token, 'base64url')
      // Base64 has spare bits at its end: only the spelling that was issued is accepted.
      if (bytes.length <= ivBytes + macBytes || bytes.toString('base64url') !== token) return undefined
      const sealed = bytes.subarray(0, -macBytes)
      if (!timingSafeEqual(bytes.subarray(-macBytes), macOf(sealed, binding))) return undefined
      const decipher = createDecipheriv('aes-256-ctr', cipherKey, sealed.subarray(0, ivBytes))
      return Buffer.concat([decipher.update(sealed.subarray(ivBytes)), decipher.final()]).toString('utf8')
    },
  }
}

export type Cursors = ReturnType<typeof createCursors>
