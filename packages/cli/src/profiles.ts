import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { AppError } from '@cairn/contracts/errors'
import * as z from 'zod'
import { writeAtomically } from './write-file.ts'

export type Environment = { readonly [name: string]: string | undefined }

const profile = z.object({ url: z.string(), api_key: z.string() })
const content = z.object({ profiles: z.record(z.string(), profile) })
export type Profile = z.infer<typeof profile>

/** Returns a folder below `XDG_<kind>_HOME`, or in the home folder; undefined without both. */
const folderOf = (env: Environment, kind: 'CONFIG' | 'STATE', below: string): string | undefined => {
  const set = env[`XDG_${kind}_HOME`]
  if (set && isAbsolute(set)) return join(set, 'cairn')
  const home = env['HOME'] || env['USERPROFILE']
  return home ? join(home, below, 'cairn') : undefined
}

/** Does not depend on the current folder. */
export const stateFolder = (env: Environment): string | undefined => folderOf(env, 'STATE', '.local/state')

export const profilesFile = (env: Environment): string | undefined => {
  const folder = folderOf(env, 'CONFIG', '.config')
  return folder && join(folder, 'profiles.json')
}

/** Returns profiles by name, as stored by `cairn login`. */
export const readProfiles = (env: Environment): ReadonlyMap<string, Profile> => {
  const file = profilesFile(env)
  if (file === undefined) return new Map()
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return new Map()
    throw new AppError('invalid', `The profiles in ${file} can't be read (${code})`, { cause })
  }
  try {
    return new Map(Object.entries(content.parse(JSON.parse(text)).profiles))
  } catch (cause) {
    throw new AppError('invalid', `${file} is not a list of profiles: remove it, and use cairn login again`, { cause })
  }
}

/** Removes the profile if `value` is undefined. */
export const writeProfile = (env: Environment, name: string, value: Profile | undefined): void => {
  const file = profilesFile(env)
  if (file === undefined)
    throw new AppError('invalid', 'There is no folder for the profile: set HOME or XDG_CONFIG_HOME')
  if (!/^[a-zA-Z0-9][\w.-]{0,63}$/.test(name))
    throw new AppError('invalid', `A profile is named by up to 64 letters, digits, ".", "-" and "_", not ${name}`)
  const profiles = new Map(readProfiles(env))
  profiles.delete(name)
  if (value) profiles.set(name, value)
  writeAtomically(file, `${JSON.stringify({ profiles: Object.fromEntries(profiles) }, null, 2)}\n`)
}
