import { readFileSync } from 'node:fs'
import { AppError } from '@cairn/contracts/errors'
import * as z from 'zod'

type Environment = { readonly [name: string]: string | undefined }

/**
 * Declares one setting and its environment variable. An empty variable counts as unset.
 *
 *     export const gatewayConfig = z.object({
 *       // Where it listens.
 *       port: setting('PORT', wholeNumber({ min: 0, max: 65_535 }).default(3_000)),
 *       // Keys of API-key hashes and cursors are derived from it.
 *       secret: secret('CAIRN_SECRET', z.string().min(32)),
 *     })
 */
export const setting = <S extends z.ZodType>(name: string, schema: S): S => schema.meta({ env: name }) as S

/**
 * Declares a setting that may also come from the file that `<NAME>_FILE` names. White space at the end of the file is
 * removed.
 */
export const secret = <S extends z.ZodType>(name: string, schema: S): S => schema.meta({ env: name, secret: true }) as S

/** Digits only: `1e3`, `0x10` and ` 1` are more often typing errors than numbers. */
export const wholeNumber = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'not a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `less than ${min}`).max(max, `more than ${max}`))

/** `1`, `true`, `on`, `yes` and their opposites. */
export const flag = () => z.stringbool()

/** Separated by commas; surrounding spaces are removed. */
export const commaList = () =>
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )

type Source = { readonly key: string; readonly name: string; readonly isSecret: boolean }

const sourcesOf = (schema: z.ZodObject): Source[] =>
  Object.entries(schema.shape).map(([key, value]) => {
    const { env, secret: isSecret } = (value as z.ZodType).meta() ?? {}
    if (typeof env !== 'string') throw new AppError('internal', `the setting ${key} names no environment variable`)
    return { key, name: env, isSecret: isSecret === true }
  })

/** Returns the variables that a configuration reads, with their `_FILE` forms: what `.env.example` must list. */
export const environmentNames = (schema: z.ZodObject): string[] =>
  sourcesOf(schema).flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name]))

const read = (env: Environment, { name, isSecret }: Source): { readonly value?: string; readonly fault?: string } => {
  const value = env[name] === '' ? undefined : env[name]
  const file = isSecret ? env[`${name}_FILE`] : undefined
  if (!file) return value === undefined ? {} : { value }
  if (value !== undefined) return { fault: `${name}: set, and ${name}_FILE as well` }
  try {
    return { value: readFileSync(file, 'utf8').trimEnd() }
  } catch (error) {
    return { fault: `${name}_FILE: can't be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` }
  }
}

/**
 * Checks settings that must be set together, each well formed. Returns faults by variable name. Unset ones are absent.
 */
export type ConfigRule = (config: Readonly<Record<string, unknown>>) => readonly string[]

/** Returns the settings that are well formed, whatever the others are. */
const wellFormed = (schema: z.ZodObject, values: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema.shape).flatMap(([key, field]) => {
      const parsed = (field as z.ZodType).safeParse(values[key])
      return parsed.success && parsed.data !== undefined ? [[key, parsed.data]] : []
    }),
  )

/**
 * Reads the configuration of a process. Reports all faults at once in one AppError `invalid`, by variable name and
 * never by value.
 */
export const readConfig = <S extends z.ZodObject>(
  schema: S,
  env: Environment,
  rules: readonly ConfigRule[] = [],
): z.output<S> => {
  const sources = sourcesOf(schema)
  const values: Record<string, string> = {}
  const faults: string[] = []
  const unread = new Set<string>()
  for (const source of sources) {
    const { value, fault } = read(env, source)
    if (value !== undefined) values[source.key] = value
    if (fault === undefined) continue
    faults.push(fault)
    unread.add(source.key)
  }
  const parsed = schema.safeParse(values)
  const nameOf = (key: string) => sources.find((source) => source.key === key)?.name ?? key
  for (const { path, message } of parsed.error?.issues ?? []) {
    const key = String(path[0] ?? '')
    if (unread.has(key)) continue
    const missing = key !== '' && values[key] === undefined
    faults.push(key === '' ? message : `${nameOf(key)}: ${missing ? 'is required' : message}`)
  }
  const settings = wellFormed(schema, values)
  for (const rule of rules) faults.push(...rule(settings))
  if (!parsed.success || faults.length > 0)
    throw new AppError('invalid', `The configuration can't be used:\n  ${faults.join('\n  ')}`)
  return parsed.data
}
