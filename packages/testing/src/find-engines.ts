import { readFileSync } from 'node:fs'
import { type EngineName, engineTable } from './engine-table.ts'
import type { Engine } from './engines.ts'

export type Variables = { readonly [name: string]: string | undefined }

/** Sources of engines, in order; each source is queried only for engines that the previous sources lack. */
export type Whereabouts = {
  readonly environment: Variables
  /** Returns the settings of engines that run natively. */
  readonly native: (names: readonly EngineName[]) => Promise<Variables>
  /**
   * Starts engines natively and leaves them running; rejects if an engine can't be started. Undefined: the next source
   * is used.
   */
  readonly startNative?: ((names: readonly EngineName[]) => Promise<void>) | undefined
  /** Starts engines in containers. Returns settings, or the reason for a failure. */
  readonly containers: (names: readonly EngineName[]) => Promise<ReadonlyMap<EngineName, Engine>>
}

const variableOf = (name: EngineName, setting: string): string => engineTable[name].variableOf?.(setting) ?? setting

/** Returns the variable with the address of an engine. */
export const addressOf = (name: EngineName): string =>
  variableOf(name, Object.keys(engineTable[name].settings)[0] ?? '')

/** Returns the settings of an engine, completed with defaults, or the name of a missing setting. */
export const settingsOf = (name: EngineName, find: (setting: string) => string | undefined): Engine => {
  const settings: Record<string, string> = {}
  for (const [setting, otherwise] of Object.entries(engineTable[name].settings)) {
    const value = find(setting) ?? otherwise
    if (value === null) return { reason: `${addressOf(name)} is set, but ${variableOf(name, setting)} is not` }
    settings[setting] = value
  }
  return { settings }
}

/**
 * Reads a variable as services do: an empty variable counts as unset, and `<NAME>_FILE` names a file with the value.
 */
const read = (variables: Variables, name: string): string | undefined => {
  const file = variables[`${name}_FILE`]
  return variables[name] || (file ? readFileSync(file, 'utf8').trimEnd() : undefined)
}

/** Returns the engine that the variables describe; undefined if they have no address of it. */
const engineIn = (variables: Variables, name: EngineName): Engine | undefined =>
  read(variables, addressOf(name))
    ? settingsOf(name, (setting) => read(variables, variableOf(name, setting)))
    : undefined

/**
 * Finds the required engines: from the environment, running natively, started natively, or in containers, in this
 * order. An address in the environment is binding: if its other settings are missing, no other source replaces it.
 */
export const findEngines = async (
  required: readonly EngineName[],
  from: Whereabouts,
): Promise<ReadonlyMap<EngineName, Engine>> => {
  const found = new Map<EngineName, Engine>()
  const missing = () => required.filter((name) => !found.has(name))
  const takeFrom = (variables: Variables) => {
    for (const name of missing()) {
      const engine = engineIn(variables, name)
      if (engine !== undefined) found.set(name, engine)
    }
  }

  takeFrom(from.environment)
  if (missing().length > 0) takeFrom(await from.native(missing()))
  let native = 'it does not run natively'
  if (missing().length > 0 && from.startNative !== undefined) {
    // If one engine can't be started, the others may still be running.
    await from.startNative(missing()).catch((error: unknown) => {
      native = `it can't be started natively (${error instanceof Error ? error.message : String(error)})`
    })
    takeFrom(await from.native(missing()))
  }
  if (missing().length === 0) return found

  const contained = await from.containers(missing())
  for (const name of missing()) {
    const engine = contained.get(name) ?? { reason: 'there is no container for it' }
    found.set(
      name,
      'settings' in engine ? engine : { reason: `${addressOf(name)} is not set, ${native}, and ${engine.reason}` },
    )
  }
  return found
}
