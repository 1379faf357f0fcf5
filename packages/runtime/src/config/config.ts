import { readFileSync } from 'node:fs'
import { AppError } from '@cairn/contracts/errors'
import type { ConfigRule } from '@cairn/contracts/settings'
import type * as z from 'zod'

type Environment = { readonly [name: string]: string | undefined }

type Source = { readonly key: string; readonly name: string; readonly isSecret: boolean }

const sourcesOf = (schema: z.ZodObject): Source[] =>
  Object.entries(schema.shape).map(([key, value]) => {
    const { env, secret: isSecret } = (value as z.ZodType).meta() ?? {}
    if (typeof env !== 'string') throw new AppError('internal', `the setting ${key} names no environment variable`)
    return { key, name: env, isSecret: isSecret === true }
  })

/** Includes the `_FILE` forms. `.env.example` must list all of these names. */
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

/** Returns the valid settings, even if others are invalid. */
const wellFormed = (schema: z.ZodObject, values: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema.shape).flatMap(([key, field]) => {
      const parsed = (field as z.ZodType).safeParse(values[key])
      return parsed.success && parsed.data !== undefined ? [[key, parsed.data]] : []
    }),
  )

/** Reports all faults at once in one AppError `invalid`, by variable name and never by value. */
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
