import { readFileSync, writeFileSync } from 'node:fs'
import { buildOpenApi } from '@cairn/contracts/openapi'
import { operationList } from '@cairn/contracts/operations'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

// Command: `npm run client:types` writes api-types.ts from the API's contract; with `--check` it only reports whether
// that file is current.
const file = new URL('api-types.ts', import.meta.url)

const typesText = async (): Promise<string> => {
  // Pages and metrics are no JSON.
  const published = operationList.filter(({ path }) => /^\/(v1|admin|readyz)\b/.test(path))
  const document = buildOpenApi(published) as unknown as OpenAPI3
  // A field with a default may be left out of a request; no response has one.
  const ast = await openapiTS(document, { defaultNonNullable: false, silent: true })
  return `// Written by \`npm run client:types\`; do not edit.\n\n${astToString(ast)}`
}

const current = (): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

const text = await typesText()
if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
  process.stdout.write('wrote packages/client/src/api-types.ts\n')
} else if (current() !== text) {
  process.stderr.write('packages/client/src/api-types.ts is stale; run: npm run client:types\n')
  process.exitCode = 1
}
