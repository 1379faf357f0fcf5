import type { TestProject } from 'vitest/node'
import { startTarget, type Target } from './target.ts'

/** Properties of a target that can be passed to the process that runs the tests. */
export type SharedTarget = Pick<Target, 'url' | 'metricsUrls' | 'apiKey' | 'adminKey' | 'pid'>

declare module 'vitest' {
  interface ProvidedContext {
    readonly target?: SharedTarget
  }
}

/**
 * Starts one target for all test files of a run, because most tests need only a separate account.
 * @public named by the test runner's configuration
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const target = await startTarget()
  const { url, metricsUrls, apiKey, adminKey, pid } = target
  project.provide('target', { url, metricsUrls, apiKey, adminKey, pid })
  return target.stop
}
