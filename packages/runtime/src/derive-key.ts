import { hkdfSync } from 'node:crypto'

export type KeyPurpose = 'api-key' | 'cursor' | 'signed-url'

/** 32 bytes for one purpose out of `CAIRN_SECRET`: what one use gives away says nothing of another (HKDF-SHA-256, RFC 5869). */
export const deriveKey = (secret: string, purpose: KeyPurpose): Buffer => Buffer.from(hkdfSync('sha256', secret, 'cairn', purpose, 32))
