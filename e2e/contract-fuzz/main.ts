// X2: sends generated requests, valid and invalid, to every documented operation and checks every response against the
// OpenAPI document.
//
//     node e2e/contract-fuzz/main.ts [--cases 200] [--minutes 4] [--seed 1]

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildOpenApi } from '@cairn/contracts/api/openapi'
import { operationList, operations } from '@cairn/contracts/api/operations'
import { createClient } from '../client.ts'
import { pins } from '../generators/pins.ts'
import { pythonEnvironment } from '../generators/tools.ts'
import { type Standalone, startStandalone } from '../target.ts'

type Part = {
  readonly name: string
  readonly paths: string
  readonly headers: (target: Standalone) => readonly string[]
}

/** The operator's part runs separately, because its calls would disable the API key of the other parts. */
const parts: readonly Part[] = [
  { name: 'accounts', paths: '^/(?!admin/)', headers: ({ apiKey }) => [`x-api-key: ${apiKey}`] },
  { name: 'operator', paths: '^/admin/', headers: ({ adminKey }) => [`x-admin-key: ${adminKey}`] },
]

type Options = {
  readonly st: string
  readonly cases: number
  readonly minutes: number
  readonly seed: string | undefined
}
type Result = { readonly part: Part; readonly code: number | null; readonly output: string; readonly late: boolean }

/** Creates the namespaces that the examples of the document use. */
const furnish = async ({ url, apiKey }: Standalone): Promise<void> => {
  const api = createClient(url, { 'x-api-key': apiKey })
  await api.call(operations.createNamespace, { body: { namespace_name: 'my-documents', type: 'text' } }, 201)
  await api.call(
    operations.createNamespace,
    { body: { namespace_name: 'my-vectors', type: 'vector', vector_dimension: 4 } },
    201,
  )
}

const fuzz = async (part: Part, { st, cases, minutes, seed }: Options): Promise<Result> => {
  const target = await startStandalone()
  const folder = mkdtempSync(join(tmpdir(), 'cairn-fuzz-'))
  try {
    await furnish(target)
    const document = join(folder, 'openapi.json')
    // The published document leaves out rules that client generators do not understand.
    writeFileSync(document, JSON.stringify(buildOpenApi(operationList, { isExact: true })))
    const args = [
      ...['--config-file', join(import.meta.dirname, 'schemathesis.toml'), 'run', document, '--url', target.url],
      // One worker: with more, Python 3.11 fails now and then ("AST constructor recursion depth mismatch").
      ...['--max-examples', String(cases), '--workers', '1', '--continue-on-failure'],
      ...['--include-path-regex', part.paths, '--request-timeout', '10', '--max-response-time', '2'],
      ...['--generation-database', 'none', '--no-color', ...(seed === undefined ? [] : ['--seed', seed])],
      ...part.headers(target).flatMap((header) => ['--header', header]),
    ]
    const child = spawn(st, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    let late = false
    // On an interrupt, the tool summarizes what it has found so far.
    const interrupt = setTimeout(() => {
      late = true
      child.kill('SIGINT')
    }, minutes * 60_000)
    const kill = setTimeout(() => child.kill('SIGKILL'), minutes * 60_000 + 15_000)
    await once(child, 'close')
    clearTimeout(interrupt)
    clearTimeout(kill)
    return { part, code: child.exitCode, output, late }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await target.stop()
  }
}

/** Returns the findings and figures in the output, without the progress lines before them. */
const summaryOf = (output: string): string => {
  const found = /^=+ (ERRORS|FAILURES|WARNINGS|SUMMARY) =+$/m.exec(output)
  return found ? output.slice(found.index) : output
}

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '200' },
      minutes: { type: 'string', default: '4' },
      seed: { type: 'string' },
    },
  })
  const options = {
    st: join(await pythonEnvironment('schemathesis', pins.schemathesis), 'bin/st'),
    cases: Number(values.cases),
    minutes: Number(values.minutes),
    seed: values.seed,
  }
  if (!(options.cases >= 1 && options.minutes > 0)) throw new Error('--cases and --minutes must be positive numbers')
  console.log(`Fuzzing every operation with ${options.cases} cases, at most ${options.minutes} minutes`)
  const results = await Promise.all(parts.map((part) => fuzz(part, options)))
  for (const { part, output, late } of results) {
    console.log(`\n${part.name}\n${summaryOf(output)}`)
    if (late) console.log(`stopped after ${options.minutes} minutes, before all cases were tried`)
  }
  return results.every(({ code }) => code === 0) ? 0 : 1
}

process.exitCode = await main()
