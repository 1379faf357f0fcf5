// Writes docs/errors.md and docs/limits.md from the contracts; part of `npm run openapi`. With --check it only reports
// whether they are current.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorsPage } from './lib/errors-page.ts'
import { limitsPage, unlistedLimits } from './lib/limits-page.ts'

const docs = join(import.meta.dirname, '../docs')
const pages = { 'errors.md': errorsPage, 'limits.md': limitsPage }

const unlisted = unlistedLimits()
if (unlisted.length > 0) {
  process.stderr.write(`scripts/lib/limits-page.ts has no row for ${unlisted.join(', ')}\n`)
  process.exitCode = 1
}
for (const [name, page] of Object.entries(pages)) {
  const file = join(docs, name)
  if (!process.argv.includes('--check')) writeFileSync(file, page())
  else if (readFileSync(file, 'utf8') !== page()) {
    process.stderr.write(`docs/${name} is stale; run: npm run openapi\n`)
    process.exitCode = 1
  }
}
