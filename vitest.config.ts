import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { TestReporter } from './scripts/lib/test-reporter.ts'

const needMore = '**/*.int.test.ts'
/** They bring the services they test: against another target they would say the same again. */
const needNoTarget = ['e2e/journeys/planted-faults.test.ts', 'e2e/journeys/crash-points.test.ts', 'e2e/console/**']
const needSystem = ['e2e/journeys/**', 'e2e/clients/**', 'e2e/console/**']
/** Together half of the time of all tests on two cores: OCR, a server for each page of docs/, kills of a mirror. */
const needMinutes = [
  'e2e/pages/pages.int.test.ts',
  'e2e/cases/files.int.test.ts',
  'packages/cli/src/sync.int.test.ts',
  'packages/extract/src/{pdf/ocr/ocr,pdf/photo,picture/read}.int.test.ts',
]

/**
 * `vitest run` is everything but the journeys and what needs minutes; with paths, all of them. `--mode all` adds what needs minutes.
 * `--mode unit` runs what stays in its process: `*.test.ts`. `--mode int` runs
 * `*.int.test.ts`: stores on disk, processes, parsers, the model, the simulator, the chart, and engines, which say what they miss where they are
 * not there. `--mode e2e` runs the journeys against a running system.
 */
type Suite = {
  readonly include: string[]
  readonly exclude: string[]
  readonly timeoutMs: number
  readonly globalSetup?: string[]
}

const all: Suite = {
  include: ['{packages,services,bench,e2e,scripts,infra}/**/*.test.ts'],
  exclude: needSystem,
  // Tests that need an engine take the time they need: `describeWithEngine` sets it for their files.
  timeoutMs: 10_000,
  globalSetup: ['packages/testing/src/engines-setup.ts'],
}

const givesPaths = process.argv.slice(2).some((argument) => /^[^-].*[/.]/.test(argument))

const quick: Suite = givesPaths ? all : { ...all, exclude: [...needSystem, ...needMinutes] }

const others: Readonly<Record<string, Suite>> = {
  all,
  unit: { ...all, exclude: [needMore, ...needSystem], globalSetup: [] },
  int: { ...all, include: [needMore], exclude: [], timeoutMs: 60_000 },
  e2e: {
    include: ['e2e/{journeys,clients,console}/**/*.test.ts'],
    // biome-ignore lint/style/noProcessEnv: what is to be tested is told by the environment
    exclude: [needMore, ...(process.env['E2E_TARGET'] ? needNoTarget : [])],
    timeoutMs: 120_000,
    globalSetup: ['e2e/global-setup.ts'],
  },
}

if (Number.parseInt(process.versions.node, 10) < 24)
  throw new Error(`The tests need Node 24, this is ${process.version}. Run them with: npm test -- <path>`)

export default defineConfig(({ mode }) => {
  const suite = others[mode] ?? quick
  return {
    test: {
      // biome-ignore lint/style/noProcessEnv: CI names the file for the results
      reporters: process.env['TEST_REPORT'] ? [new TestReporter(), 'json'] : [new TestReporter()],
      // biome-ignore lint/style/noProcessEnv: CI names the file for the results
      outputFile: process.env['TEST_REPORT'] ?? '',
      // Journeys print tables.
      silent: suite === others['e2e'] ? false : 'passed-only',
      include: suite.include,
      exclude: [...configDefaults.exclude, ...suite.exclude],
      globalSetup: suite.globalSetup ?? [],
      // Processes, not threads: adapters start worker threads and load native code of their own.
      pool: 'forks',
      // Half the time. Files can share a process: nothing starts at import, and what modules keep, such as caches, is
      // valid for every file.
      isolate: false,
      testTimeout: suite.timeoutMs,
      hookTimeout: suite.timeoutMs,
      teardownTimeout: 10_000,
      // One for each core; what vitest would take by itself leaves one of two idle.
      maxWorkers: availableParallelism(),
      fileParallelism: suite !== others['int'] && suite !== others['e2e'],
      // Not only in CI: a forgotten `.only` fails everywhere.
      allowOnly: false,
      passWithNoTests: false,
      expect: { poll: { timeout: 5_000, interval: 20 } },
      env: { NODE_ENV: 'test' },
      restoreMocks: true,
      unstubEnvs: true,
    },
  }
})
