import { describe, it } from 'vitest'
import { isCluster, isStandalone } from './target.ts'

const targets = {
  standalone: { isTarget: isStandalone, command: '`npm run test:e2e` without E2E_TARGET runs them' },
  cluster: { isTarget: isCluster, command: '`E2E_TARGET=cluster npm run test:e2e` runs them' },
}

/** Describes tests of processes that tests start; against another target they are skipped with the reason. */
export const describeOn = (kinds: readonly (keyof typeof targets)[], name: string, tests: () => void): void => {
  if (kinds.some((kind) => targets[kind].isTarget())) describe(name, tests)
  else
    it(name, ({ skip }) => {
      skip(`another target than ${kinds.join(' or ')}: ${kinds.map((kind) => targets[kind].command).join(', ')}`)
    })
}
