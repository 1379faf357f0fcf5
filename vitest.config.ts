import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

const needEngines = '**/*.int.test.ts'
/** They bring the services they test: against another target they would say the same again. */
const needNoTarget = ['e2e/journeys/planted-faults.test.ts', 'e2e/journeys/crash-points.test.ts']
const needSystem = ['e2e/journeys/**', 'e2e/clients/**']

/**
 * `vitest run` is unit tests (`--mode unit` runs them alone), embedded contracts, flows, the simulator, and the tests of adapters
 * whose engines are there; the others say what they miss. `--mode int` runs those alone, `--mode e2e` the journeys against a
 * running system.
 */
type Suite = { readonly include: string[]; readonly exclude: string[]; readonly timeoutMs: number; readonly globalSetup?: string[] }

const all: Suite = {
  include: ['{packages,services,bench,e2e,scripts,infra}/**/*.test.ts'],
  exclude: needSystem,
  // Tests that need an engine take the time they need: `describeWithEngine` sets it for their files.
  timeoutMs: 10_000,
  globalSetup: ['packages/testing/src/engines-setup.ts'],
}

/**
 * Contracts on embedded engines, with kills and restarts; the model; files read by their parsers; flows of the composed services; the
 * simulator; the chart, which others' programs render and check.
 */
const embedded = [
  '**/sqlite*.test.ts',
  '**/embedder/local*/**',
  '**/embedder/local.test.ts',
  '**/residents.test.ts',
  '**/edge/src/main.test.ts',
  '**/flows.test.ts',
  '**/standalone/src/{tracing,operations-page}.test.ts',
  '**/file-store/{local,s3}.test.ts',
  '**/file-store/s3/**',
  '**/stepwise-*.test.ts',
  '**/dependency-rules.test.ts',
  '**/gateway/src/files/**',
  '**/file-pipeline/src/{look-for-objects,read-file,sweep-orphans,extract/*,material/*}.test.ts',
  'e2e/**',
  'infra/helm/**',
]

const others: Readonly<Record<string, Suite>> = {
  unit: { ...all, exclude: [needEngines, ...needSystem, ...embedded], globalSetup: [] },
  int: { ...all, include: [needEngines], exclude: [], timeoutMs: 60_000 },
  e2e: {
    include: ['e2e/{journeys,clients}/**/*.test.ts'],
    // biome-ignore lint/style/noProcessEnv: what is to be tested is told by the environment
    exclude: [needEngines, ...(process.env['E2E_TARGET'] ? needNoTarget : [])],
    timeoutMs: 120_000,
    globalSetup: ['e2e/global-setup.ts'],
  },
}

export default defineConfig(({ mode }) => {
  const suite = others[mode] ?? all
  return {
    test: {
      include: suite.include,
      exclude: [...configDefaults.exclude, ...suite.exclude],
      globalSetup: suite.globalSetup ?? [],
      // Processes, not threads: adapters start worker threads and load native code of their own.
      pool: 'forks',
      // Half the time. Nothing starts at import and no module holds state, so files can share a process.
      isolate: false,
      testTimeout: suite.timeoutMs,
      hookTimeout: suite.timeoutMs,
      teardownTimeout: 10_000,
      // One for each core; what vitest would take by itself leaves one of two idle.
      maxWorkers: availableParallelism(),
      fileParallelism: suite === all || suite === others['unit'],
      // The same on a laptop and in CI: a forgotten `.only` fails everywhere.
      allowOnly: false,
      passWithNoTests: false,
      expect: { poll: { timeout: 5_000, interval: 20 } },
      env: { NODE_ENV: 'test' },
      restoreMocks: true,
      unstubEnvs: true,
    },
  }
})
