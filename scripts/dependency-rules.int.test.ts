import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cruise, cruiseTree } from './lib/cruise.ts'

/** Files of a tree with the structure of this repository, each of which breaks one rule on purpose. */
const offending: Readonly<Record<string, { readonly code: string; readonly breaks: string }>> = {
  'packages/contracts/src/reads-files.ts': { code: "import 'node:fs'", breaks: 'contracts-are-pure' },
  'packages/contracts/src/knows-a-port.ts': {
    code: "import type {} from '@cairn/domain/ports/store'",
    breaks: 'contracts-are-pure',
  },
  'packages/adapters/src/store/knows-runtime.ts': {
    code: "import '@cairn/runtime/process/logger'",
    breaks: 'adapters-stand-below-what-runs',
  },
  'packages/domain/src/knows-runtime.ts': {
    code: "import '@cairn/runtime/process/logger'",
    breaks: 'domain-knows-contracts-only',
  },
  'packages/domain/src/names-an-adapter.ts': {
    code: "import '@cairn/adapters/store/sqlite'",
    breaks: 'domain-knows-contracts-only',
  },
  'packages/runtime/src/names-an-adapter.ts': {
    code: "import '@cairn/adapters/store/sqlite'",
    breaks: 'runtime-knows-no-adapter',
  },
  'services/gateway/src/names-an-adapter.ts': {
    code: "await import('@cairn/adapters/store/sqlite')",
    breaks: 'adapters-only-in-main',
  },
  'services/gateway/src/type-of-an-adapter.ts': {
    code: "import type {} from '@cairn/adapters/store/sqlite'",
    breaks: 'adapters-only-in-main',
  },
  'services/edge/src/names-an-adapter.ts': {
    code: "import '@cairn/adapters/store/sqlite'",
    breaks: 'adapters-only-in-main',
  },
  'services/gateway/src/knows-deletion.ts': {
    code: "import '@cairn/deletion/service'",
    breaks: 'services-do-not-import-services',
  },
  'services/standalone/src/reaches-inside.ts': {
    code: "import '@cairn/deletion/inner'",
    breaks: 'standalone-takes-service-and-config-only',
  },
  'packages/extract/src/opens-a-store.ts': {
    code: "import '@cairn/domain/ports/store'",
    breaks: 'extract-reads-and-knows-no-more',
  },
  'packages/mcp/src/opens-a-store.ts': { code: "import '@cairn/domain/ports/store'", breaks: 'mcp-is-a-client' },
  'packages/cli/src/opens-a-store.ts': { code: "import '@cairn/domain/ports/store'", breaks: 'cli-is-a-client' },
  'packages/client/src/knows-contracts.ts': { code: "import '@cairn/contracts/errors'", breaks: 'client-stands-alone' },
  'packages/console/src/opens-a-store.tsx': {
    code: "import type {} from '@cairn/domain/ports/store'",
    breaks: 'console-is-a-client',
  },
  'packages/console/src/ships-schemas.ts': { code: "import '@cairn/contracts/errors'", breaks: 'console-is-a-client' },
  'packages/console/src/ships-a-library.ts': { code: "import 'kafkajs'", breaks: 'console-is-a-client' },
  'packages/cli/src/shows-a-page.ts': {
    code: "import '../../console/src/page.ts'",
    breaks: 'nothing-imports-the-console',
  },
  'packages/adapters/src/store/sneaky.ts': {
    code: "import { DatabaseSync } from 'node:sqlite'",
    breaks: 'engine-clients-only-in-their-adapter',
  },
  'services/deletion/src/talks-to-kafka.ts': {
    code: "import 'kafkajs'",
    breaks: 'engine-clients-only-in-their-adapter',
  },
  'services/deletion/src/ships-tests.ts': { code: "import '@cairn/testing/faults'", breaks: 'no-test-code-in-product' },
  'services/deletion/src/ships-a-suite.ts': { code: "import './inner.test.ts'", breaks: 'no-test-code-in-product' },
  'services/deletion/src/hen.ts': { code: "import './egg.ts'", breaks: 'no-cycles' },
  'services/deletion/src/egg.ts': { code: "import './hen.ts'", breaks: 'no-cycles' },
  'services/deletion/src/lost.ts': { code: "import '@cairn/contracts/nowhere'", breaks: 'no-unresolved' },
}

const allowed: Readonly<Record<string, string>> = {
  'packages/client/src/index.ts': 'export {}',
  'packages/console/src/page.ts': "import '@cairn/client'",
  'packages/contracts/src/errors.ts': 'export {}',
  'packages/domain/src/ports/store.ts': "import '@cairn/contracts/errors'",
  'packages/adapters/src/store/sqlite.ts': "import 'node:sqlite'\nimport '@cairn/domain/ports/store'",
  'packages/adapters/src/store/sqlite.int.test.ts': "import '@cairn/testing/faults'\nimport './sqlite.ts'",
  'packages/domain/src/accounts/tiers.ts': "import '@cairn/domain/ports/store'\nimport '@cairn/contracts/errors'",
  'packages/runtime/src/process/logger.ts': "import '@cairn/domain/ports/store'\nimport '@cairn/domain/accounts/tiers'",
  'packages/testing/src/faults.ts': "import '@cairn/domain/ports/store'",
  'services/deletion/src/service.ts': "import './inner.ts'\nimport '@cairn/domain/ports/store'",
  'services/deletion/src/inner.ts': "import '@cairn/contracts/errors'",
  'services/deletion/src/inner.test.ts': "import './inner.ts'\nimport '@cairn/adapters/store/sqlite'",
  'services/deletion/src/main.ts': "import './service.ts'\nimport '@cairn/adapters/store/sqlite'",
  'services/edge/src/library.ts': "import '@cairn/adapters/store/sqlite'",
  'services/standalone/src/main.ts': "import '@cairn/deletion/service'\nimport '@cairn/adapters/store/sqlite'",
}

const write = (root: string, file: string, text: string) => {
  mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
  writeFileSync(path.join(root, file), text)
}

const makeTree = () => {
  const root = mkdtempSync(path.join(tmpdir(), 'cairn-rules-'))
  for (const [file, code] of Object.entries(allowed)) write(root, file, code)
  for (const [file, { code }] of Object.entries(offending)) write(root, file, code)
  write(root, 'node_modules/kafkajs/package.json', '{"name":"kafkajs","main":"index.js"}')
  write(root, 'node_modules/kafkajs/index.js', '')
  mkdirSync(path.join(root, 'node_modules/@cairn'))
  for (const folder of [
    'packages/client',
    'packages/contracts',
    'packages/adapters',
    'packages/domain',
    'packages/runtime',
    'packages/testing',
    'services/deletion',
  ]) {
    const name = path.basename(folder)
    write(
      root,
      `${folder}/package.json`,
      JSON.stringify({
        name: `@cairn/${name}`,
        type: 'module',
        exports: { '.': './src/index.ts', './*': './src/*.ts' },
      }),
    )
    symlinkSync(path.join(root, folder), path.join(root, 'node_modules/@cairn', name))
  }
  return root
}

describe('the direction of imports', () => {
  let root: string
  let found: Cruise
  beforeAll(async () => {
    root = makeTree()
    found = await cruiseTree(root)
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it.each(Object.entries(offending))('refuses %s', (file, { breaks }) => {
    // A cycle is reported once, for either of its ends.
    const rules = found.offences.filter(({ rule, from, to }) => from === file || (rule === 'no-cycles' && to === file))
    expect(rules.map(({ rule }) => rule)).toContain(breaks)
  })

  it('accepts every import that keeps the direction', () => {
    expect(found.offences.filter(({ from }) => from in allowed)).toEqual([])
    expect(found.missed).toEqual([])
  })
})

describe('the check of this repository', () => {
  it('sees every source file', async () => {
    const { checked: seen, missed } = await cruiseTree(path.dirname(import.meta.dirname))
    expect(missed).toEqual([])
    expect(seen.length).toBeGreaterThan(100)
    // Reads every file: takes 2 s alone, and far longer while other tests run on two cores.
  }, 60_000)
})
