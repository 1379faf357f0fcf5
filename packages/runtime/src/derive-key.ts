import { hkdfSync } from 'node:crypto'

export type KeyPurpose = 'api-key' | 'cursor' | 'signed-url' | 'stored-response' | 'console-code'

/**
 * Derives 32 bytes for one purpose from a secret, such as `CAIRN_SECRET`; a leak of one reveals nothing of another (HKDF-SHA-256, RFC
 * 5869).
 */
export const deriveKey = (secret: string, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'cairn', purpose, 32))
