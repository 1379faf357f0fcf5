import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { buildOpenApi } from '@cairn/contracts/api/openapi'
import { operationList } from '@cairn/contracts/api/operations'
import { fileExtensions } from '@cairn/contracts/files/file-rules'
import { limits } from '@cairn/contracts/limits'
import { languages } from '@cairn/contracts/text/languages'
import { multilingualModel } from '@cairn/contracts/text/multilingual-model'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

// Part of `npm run openapi`: writes the contract's types and constants, as the client is published without it;
// `--check` only reports whether they are current.
const head = '// Written by `npm run openapi`; do not edit.\n\n'

const typesText = async (): Promise<string> => {
  // Pages and metrics are not JSON.
  const published = operationList.filter(({ path }) => /^\/(v1|admin|readyz)\b/.test(path))
  const document = buildOpenApi(published) as unknown as OpenAPI3
  // In requests, a field with a default is optional; no response has one.
  const ast = await openapiTS(document, { defaultNonNullable: false, silent: true })
  return head + astToString(ast)
}

const publishedLimits = [
  'idsPerGet',
  'idsPerDelete',
  'fileNamesPerDelete',
  'filesPerPage',
  'directFileBytes',
  'partNumber',
  'namespaceNameLength',
  'topK',
  'namespacesPerSearch',
] as const

const constantsText = (): string => {
  const used = Object.fromEntries(publishedLimits.map((name) => [name, limits[name]]))
  const constant = (name: string, value: unknown) =>
    `export const ${name} = ${JSON.stringify(value, null, 2)} as const\n`
  const constants = { limits: used, fileExtensions, languages, multilingualModel }
  return `${head}${Object.entries(constants)
    .map(([name, value]) => constant(name, value))
    .join('\n')}`
}

const current = (file: URL): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

for (const [file, text] of [
  [new URL('api-types.ts', import.meta.url), await typesText()],
  [new URL('api-constants.ts', import.meta.url), constantsText()],
] as const) {
  const path = `packages/client/src/${basename(file.pathname)}`
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text)
    process.stdout.write(`wrote ${path}\n`)
  } else if (current(file) !== text) {
    process.stderr.write(`${path} is stale; run: npm run openapi\n`)
    process.exitCode = 1
  }
}
