import { describe, inject, it, vi } from 'vitest'

/** The engines tests may need: those of the cluster, a second S3 server, and the proxy that slows or cuts links. */
export const engineNames = ['kafka', 'mongodb', 'qdrant', 'minio', 'versitygw'] as const
export type EngineName = (typeof engineNames)[number]

/** The settings that reach an engine (`CAIRN_KAFKA_BROKERS` …), or why there is none. */
export type Engine = { readonly settings: Readonly<Record<string, string>> } | { readonly reason: string }

declare module 'vitest' {
  interface ProvidedContext {
    readonly engines?: Readonly<Record<EngineName, Engine>>
  }
}

/** The connections of one engine, as the environment of a service names them. */
export type EngineSettings = (name: string) => string

const timeoutMs = 60_000

/**
 * A suite that needs an engine: from the environment, from those that run natively, or from containers (see `engines-setup`).
 * Where there is none it is skipped with the reason, and fails when `REQUIRE_ENGINES=1`.
 */
export const describeWithEngine = (name: EngineName, suite: (settings: EngineSettings) => void): void => {
  // For the whole file, until its end: in a run of all tests the limits are those of tests that wait for nobody.
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
      skip(engine.reason)
    })
  })
}
