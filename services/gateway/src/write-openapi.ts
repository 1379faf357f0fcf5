import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { openApiFile, openApiText } from './openapi-file.ts'

// A command: `npm run openapi` writes docs/openapi.json, with `--check` it only says whether that file is as the code says it.
// The document is checked in, so that a change of the API is seen in a review.
const current = (): string | undefined => {
  try {
    return readFileSync(openApiFile, 'utf8')
  } catch {
    return undefined
  }
}

if (process.argv.includes('--check')) {
  if (current() !== openApiText()) {
    process.stderr.write('docs/openapi.json is stale; run: npm run openapi\n')
    process.exitCode = 1
  }
} else {
  mkdirSync(new URL('.', openApiFile), { recursive: true })
  writeFileSync(openApiFile, openApiText())
  process.stdout.write('wrote docs/openapi.json\n')
}
