import { randomUUID } from 'node:crypto'

const keptForm = /^(?!cairn_)[A-Za-z0-9._-]{1,64}$/
/** As long as a secret, in the alphabet of API keys (api-key.ts). */
const longRuns = /[0-9a-hj-kmnp-tv-z]{32,}/g
/** A secret has about 20 different characters. */
const minDistinct = 10

/** Runs of only hexadecimal digits are ids of other tools. */
const mayHoldSecret = (text: string): boolean =>
  (text.match(longRuns) ?? []).some((run) => /[g-z]/.test(run) && new Set(run).size >= minDistinct)

/**
 * Keeps the client's id if it is short and plain, else generates one. Ids are returned and logged, so none may hold an
 * API key, whole or without its prefix, or one of `secrets`.
 */
export const requestIdOf = (sent: string | readonly string[] | undefined, secrets: readonly string[]): string => {
  const isKept =
    typeof sent === 'string' &&
    keptForm.test(sent) &&
    !mayHoldSecret(sent) &&
    !secrets.some((secret) => sent.includes(secret))
  return isKept ? sent : `req_${randomUUID()}`
}
