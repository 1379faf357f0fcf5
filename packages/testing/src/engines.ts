import { describe, inject, it, vi } from 'vitest'
import type { EngineName } from './engine-table.ts'

/** The connection settings of an engine (`CAIRN_KAFKA_BROKERS` …), or the reason why the engine is missing. */
export type Engine = { readonly settings: Readonly<Record<string, string>> } | { readonly reason: string }

declare module 'vitest' {
  interface ProvidedContext {
    readonly engines?: Readonly<Record<EngineName, Engine>>
  }
}

/** Returns a connection setting of one engine, by the name of a service's environment variable. */
export type EngineSettings = (name: string) => string

const timeoutMs = 60_000

/**
 * Defines a suite that needs an engine: from the environment, running natively, or in a container (see
 * `engines-setup`). Without the engine, the suite is skipped with the reason, or fails if `REQUIRE_ENGINES=1`.
 */
export const describeWithEngine = (name: EngineName, suite: (settings: EngineSettings) => void): void => {
  // Applies to the whole file: the default limits are for tests without engines.
  vi.setConfig({ testTimeout: timeoutMs, hookTimeout: timeoutMs })
  const engine = inject('engines')?.[name] ?? { reason: 'this run was set up without engines' }
  describe(name, () => {
    if ('settings' in engine) {
      suite((setting) => {
        const value = engine.settings[setting]
        if (value === undefined) throw new Error(`the engine ${name} has no setting ${setting}`)
        return value
      })
      return
    }
    it('has its engine', ({ skip }) => {
      if (process.env['REQUIRE_ENGINES'] === '1') throw new Error(`${name}: ${engine.reason}`)
      skip(`${engine.reason}; \`infra/native/engines.sh up ${name}\` starts it`)
    })
  })
}
