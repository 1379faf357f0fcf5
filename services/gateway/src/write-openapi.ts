import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openApiFile, openApiText } from './openapi-file.ts'

// A command: `npm run openapi`. The document is checked in, so that a change of the API is seen in a review.
mkdirSync(new URL('.', openApiFile), { recursive: true })
writeFileSync(openApiFile, openApiText())
process.stdout.write(`wrote ${fileURLToPath(openApiFile)}\n`)
