import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { engineContainers } from './engine-containers.ts'
import { type EngineName, engineNames } from './engine-table.ts'
import type { Engine } from './engines.ts'
import { findEngines } from './find-engines.ts'
import { enginesScript, nativeSettings } from './native-engines.ts'

/** Time limit of a start: MinIO is built from source once, which takes minutes. */
const startWithinMs = 20 * 60_000

const startNatively = async (names: readonly EngineName[]): Promise<void> => {
  // The script's output is inherited: it shows the progress of the build and the reason for a failure.
  const script = spawn('bash', [enginesScript, 'up', ...names], {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: startWithinMs,
  })
  const [code] = await once(script, 'exit')
  if (code !== 0) throw new Error(`engines.sh up ended with ${code}`)
}

/**
 * Returns the files selected for this run, or all files if the runner does not report them: this property is not part
 * of its documented interface.
 */
const selectedFiles = async (project: TestProject): Promise<readonly string[]> => {
  const { filenamePattern } = project.vitest as { readonly filenamePattern?: string[] }
  const { testFiles } = await project.globTestFiles(filenamePattern)
  return testFiles.filter((file) => file.endsWith('.int.test.ts'))
}

/** Returns the engines whose names occur in the selected tests, so that a run of one file starts no others. */
const wantedEngines = async (project: TestProject): Promise<readonly EngineName[]> => {
  const texts = await Promise.all((await selectedFiles(project)).map((file) => readFile(file, 'utf8')))
  return engineNames.filter((name) => texts.some((text) => text.includes(`'${name}'`)))
}

/**
 * Provides `engines` to the tests of a run; those that lack one are skipped with its reason. With `REQUIRE_ENGINES=1` missing
 * engines are started natively and left running; containers are removed at the end.
 *
 * @public named by the test runner's configuration
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const { start, stop } = engineContainers()
  // biome-ignore lint/style/noProcessEnv: the environment has the addresses of engines, as for services
  const environment = process.env
  const required = environment['REQUIRE_ENGINES'] === '1'
  const found = await findEngines(await wantedEngines(project), {
    environment,
    // The settings are empty on machines that can't run engines natively.
    native: (names) => nativeSettings(environment, names).catch(() => ({})),
    startNative: required ? startNatively : undefined,
    containers: start,
  })
  const engineOf = (name: EngineName): Engine => found.get(name) ?? { reason: 'no test of this run names it' }
  const engines = Object.fromEntries(engineNames.map((name) => [name, engineOf(name)]))
  project.provide('engines', engines as Readonly<Record<EngineName, Engine>>)
  return stop
}
