import { readFileSync } from 'node:fs'
import type { Engine, EngineName } from './engines.ts'

export type Variables = { readonly [name: string]: string | undefined }

/** Where engines may be, in the order in which it is asked; each is asked only for the engines those before it lack. */
export type Whereabouts = {
  readonly environment: Variables
  /** The variables of those that run natively. */
  readonly native: (names: readonly EngineName[]) => Promise<Variables>
  /** Starts them natively, to be left running; rejects when one of them can't be started. Absent: what runs will do. */
  readonly startNative?: ((names: readonly EngineName[]) => Promise<void>) | undefined
  /** Starts them in containers: settings, or why not. */
  readonly containers: (names: readonly EngineName[]) => Promise<ReadonlyMap<EngineName, Engine>>
}

/**
 * A setting of a service and the variable it is read from. One without `otherwise` is required, one that is empty is not set; the
 * first one is the address.
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
  // Off: it has no target that tells of new objects.
  minio: [
    ...s3Sources('CAIRN_S3'),
    { setting: 'CAIRN_OBJECT_EVENTS', variable: 'CAIRN_OBJECT_EVENTS', otherwise: 'off' },
  ],
  // To an adapter the second S3 server is an S3 server like any other: same settings, from variables of its own.
  versitygw: s3Sources('CAIRN_VERSITYGW'),
}

const addressOf = (name: EngineName): string => sources[name][0].variable

/** As services read them: an empty variable is not set, and `<NAME>_FILE` names a file that has the value. */
const read = (variables: Variables, name: string): string | undefined => {
  const file = variables[`${name}_FILE`]
  return variables[name] || (file ? readFileSync(file, 'utf8').trimEnd() : undefined)
}

/** Undefined when the variables don't name the engine's address. */
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
 * The engines that are wanted: named by the environment, else running natively, else started natively, else in containers.
 * Whoever names an engine in the environment means that one: when its other settings are missing, nothing takes its place.
 */
export const findEngines = async (
  wanted: readonly EngineName[],
  from: Whereabouts,
): Promise<ReadonlyMap<EngineName, Engine>> => {
  const found = new Map<EngineName, Engine>()
  const missing = () => wanted.filter((name) => !found.has(name))
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
    // One that can't be started says nothing of the others, which may run by now.
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
