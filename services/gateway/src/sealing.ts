import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts JSON values for the store with AES-256-GCM and a 32-byte key. */
export const createSealing = <T>(key: Uint8Array) => ({
  /** A text sealed for one `place` of the store can't be decrypted for another. */
  seal: (value: T, place: string): string => {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
    const sealed = [iv, cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]
    return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64')
  },
  open: (text: string, place: string): T => {
    const bytes = Buffer.from(text, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-16))
    const opened = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
    return JSON.parse(opened.toString('utf8')) as T
  },
})
