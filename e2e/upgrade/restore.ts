import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ClusterText } from './cluster-text.ts'
import type { Content } from './content.ts'
import { sqliteFromText } from './sqlite-text.ts'

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

const fixtures = join(import.meta.dirname, 'fixtures')

/** Creates the data directory that a process of this version left behind; returns the content that its clients read. */
export const restoreOneProcess = (version: string, dataDir: string): Content => {
  const from = join(fixtures, version, 'one-process')
  for (const [path, content] of Object.entries(read(join(from, 'files.json')) as Record<string, string>)) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true })
    writeFileSync(join(dataDir, path), content, { mode: 0o600 })
  }
  for (const path of readdirSync(from, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.sql'))) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true })
    sqliteFromText(join(dataDir, path.slice(0, -'.sql'.length)), readFileSync(join(from, path), 'utf8'))
  }
  return read(join(from, 'content.json')) as Content
}

/** Reads the saved cluster: its stores as JSON, its secret, and the content that its clients read. */
export const readCluster = (
  version: string,
): { readonly stores: ClusterText; readonly content: Content & { readonly secret: string } } => {
  const from = join(fixtures, version, 'cluster')
  return {
    stores: read(join(from, 'stores.json')) as ClusterText,
    content: read(join(from, 'content.json')) as Content & { readonly secret: string },
  }
}
