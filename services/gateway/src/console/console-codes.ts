import { createHash } from 'node:crypto'
import type { Store } from '@cairn/domain/store'
import { randomText } from '@cairn/runtime/http/api-key'
import { deriveKey } from '@cairn/runtime/process/derive-key'
import { createSealing } from '../sealing.ts'

export const codeLifetimeMs = 10 * 60_000
/** Owner in the store of repeatable requests; no account has this id. */
const owner = 'console'
const form = /^cairn_code_[0-9a-hjkmnp-tv-z]{39}$/

/** The key is a hash of the code, under which the API key is encrypted: the store reveals neither. */
const placeOf = (code: string) => ({
  key: createHash('sha256').update(code).digest('base64url'),
  sealing: createSealing<string>(deriveKey(code, 'console-code')),
})

/** A code has the form of a secret, so it is recognized in request ids and log lines and never kept there. */
export const createConsoleCodes = ({ repeatableRequests }: Pick<Store, 'repeatableRequests'>) => ({
  issue: async (apiKey: string): Promise<string> => {
    const code = `cairn_code_${randomText(39)}`
    const { key, sealing } = placeOf(code)
    const held = { owner, key, token: key }
    await repeatableRequests.begin({ ...held, fingerprint: key }, codeLifetimeMs)
    await repeatableRequests.finish(held, sealing.seal(apiKey, key))
    return code
  },
  /** Returns the API key once, within ten minutes and in any gateway; undefined for every other text. */
  exchange: async (code: string): Promise<string | undefined> => {
    if (!form.test(code)) return undefined
    const { key, sealing } = placeOf(code)
    const sealed = await repeatableRequests.take({ owner, key })
    return sealed === undefined ? undefined : sealing.open(sealed, key)
  },
})

export type ConsoleCodes = ReturnType<typeof createConsoleCodes>
