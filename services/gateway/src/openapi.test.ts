import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openApiFile, openApiText } from './openapi-file.ts'

it('finds docs/openapi.json as the code says it (if not: npm run openapi)', () => {
  expect(readFileSync(openApiFile, 'utf8') === openApiText(), 'docs/openapi.json is stale; run: npm run openapi').toBe(
    true,
  )
})
