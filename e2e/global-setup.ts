import type { TestProject } from 'vitest/node'
import { startTarget, type Target } from './target.ts'

/** The part of a target that can be passed to the process that runs the tests. */
export type SharedTarget = Pick<Target, 'url' | 'metricsUrls' | 'apiKey' | 'adminKey' | 'pid'>

declare module 'vitest' {
  interface ProvidedContext {
    readonly target?: SharedTarget
  }
}

/**
 * One target for all files of a run: most stories make their own account and need no more of their own.
 * @public named by the test runner's configuration
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const target = await startTarget()
  const { url, metricsUrls, apiKey, adminKey, pid } = target
  project.provide('target', { url, metricsUrls, apiKey, adminKey, pid })
  return target.stop
}
