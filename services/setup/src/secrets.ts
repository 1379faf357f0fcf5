import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateApiKey } from '@cairn/runtime/http/api-key'

const random = (bytes: number) => randomBytes(bytes).toString('base64url')

/** By file name as mounted in docker-compose.yml. */
const generators: Readonly<Record<string, () => string>> = {
  secret: () => random(48),
  'admin-key': () => random(32),
  'api-key': () => generateApiKey().apiKey,
  'qdrant-api-key': () => random(32),
  's3-access-key-id': () => `cairn-${randomBytes(6).toString('hex')}`,
  's3-secret-access-key': () => random(36),
  'edge-key': () => random(32),
}

/** Keeps existing secrets: a second one would invalidate every API key. Returns the names created. */
export const createSecrets = (directory: string): string[] => {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return Object.entries(generators).flatMap(([name, make]) => {
    const file = join(directory, name)
    if (existsSync(file)) return []
    writeFileSync(`${file}.tmp`, `${make()}\n`, { mode: 0o600, flush: true })
    renameSync(`${file}.tmp`, file)
    return [name]
  })
}
