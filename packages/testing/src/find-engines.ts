import { readFileSync } from 'node:fs'
import type { Engine, EngineName } from './engines.ts'

export type Variables = { readonly [name: string]: string | undefined }

/** Sources of engines, in their order; each is queried only for engines that the previous ones lack. */
export type Whereabouts = {
  readonly environment: Variables
  /** Returns the variables of engines that run natively. */
  readonly native: (names: readonly EngineName[]) => Promise<Variables>
  /**
   * Starts engines natively, to be left running; rejects when one can't be started. Absent: the next source is used.
   */
  readonly startNative?: ((names: readonly EngineName[]) => Promise<void>) | undefined
  /** Starts engines in containers: returns settings, or the reason of a failure. */
  readonly containers: (names: readonly EngineName[]) => Promise<ReadonlyMap<EngineName, Engine>>
}

/**
 * A setting of a service and its variable. Without `otherwise` it is required; an empty value counts as unset. The
 * first setting is the address.
 */
type Source = { readonly setting: string; readonly variable: string; readonly otherwise?: string }

const s3Sources = (prefix: string): readonly [Source, ...Source[]] => [
  { setting: 'CAIRN_S3_ENDPOINT', variable: `${prefix}_ENDPOINT` },
  { setting: 'CAIRN_S3_ACCESS_KEY_ID', variable: `${prefix}_ACCESS_KEY_ID` },
  { setting: 'CAIRN_S3_SECRET_ACCESS_KEY', variable: `${prefix}_SECRET_ACCESS_KEY` },
  { setting: 'CAIRN_S3_REGION', variable: `${prefix}_REGION`, otherwise: 'us-east-1' },
  { setting: 'CAIRN_S3_PATH_STYLE', variable: `${prefix}_PATH_STYLE`, otherwise: 'on' },
]

const sources: Readonly<Record<EngineName, readonly [Source, ...Source[]]>> = {
  kafka: [{ setting: 'CAIRN_KAFKA_BROKERS', variable: 'CAIRN_KAFKA_BROKERS' }],
  mongodb: [{ setting: 'CAIRN_MONGODB_URL', variable: 'CAIRN_MONGODB_URL' }],
  qdrant: [
    { setting: 'CAIRN_QDRANT_URL', variable: 'CAIRN_QDRANT_URL' },
    { setting: 'CAIRN_QDRANT_API_KEY', variable: 'CAIRN_QDRANT_API_KEY', otherwise: '' },
  ],
  // Off: no target receives its events.
  minio: [
    ...s3Sources('CAIRN_S3'),
    { setting: 'CAIRN_OBJECT_EVENTS', variable: 'CAIRN_OBJECT_EVENTS', otherwise: 'off' },
  ],
  // To an adapter the second S3 server is like any other: same settings, from its own variables.
  versitygw: s3Sources('CAIRN_VERSITYGW'),
}

const addressOf = (name: EngineName): string => sources[name][0].variable

/** Reads a variable as services do: an empty one is unset, and `<NAME>_FILE` names a file with the value. */
const read = (variables: Variables, name: string): string | undefined => {
  const file = variables[`${name}_FILE`]
  return variables[name] || (file ? readFileSync(file, 'utf8').trimEnd() : undefined)
}

/** Returns undefined if the variables have no address of the engine. */
const engineIn = (variables: Variables, name: EngineName): Engine | undefined => {
  if (!read(variables, addressOf(name))) return undefined
  const settings: Record<string, string> = {}
  for (const { setting, variable, otherwise } of sources[name]) {
    const value = read(variables, variable) ?? otherwise
    if (value === undefined) return { reason: `${addressOf(name)} is set, but ${variable} is not` }
    settings[setting] = value
  }
  return { settings }
}

/**
 * Finds the required engines: from the environment, else running natively, else started natively, else in containers.
 * An address in the environment is binding: if its other settings are missing, no other source replaces it.
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
    // A failed start of one engine says nothing about the others, which may be running.
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
