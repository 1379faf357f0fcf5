import { hkdfSync } from 'node:crypto'

export type KeyPurpose =
  | 'api-key'
  | 'cursor'
  | 'signed-url'
  | 'download'
  | 'stored-response'
  | 'console-code'
  | 'installation'

/** A leaked derived key reveals nothing about the others (HKDF-SHA-256, RFC 5869). */
export const deriveKey = (secret: string, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'cairn', purpose, 32))
