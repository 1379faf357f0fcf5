import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { openApiFile, openApiText } from './openapi-file.ts'

// `npm run openapi` writes docs/openapi.json; `--check` only reports whether it is current. It is in the repository so
// that reviews show changes of the API.
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
