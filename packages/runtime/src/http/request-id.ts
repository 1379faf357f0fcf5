import { randomUUID } from 'node:crypto'

const keptForm = /^(?!cairn_)[A-Za-z0-9._-]{1,64}$/
/** At least 32 characters of the alphabet of API keys (see api-key.ts) in a row: the length of a secret. */
const longRuns = /[0-9a-hj-kmnp-tv-z]{32,}/g
/** A secret has about 20 different characters. */
const minDistinct = 10

/**
 * Returns whether the text may hold the secret of an API key. Runs of only hexadecimal digits are ids of other tools.
 */
const mayHoldSecret = (text: string): boolean =>
  (text.match(longRuns) ?? []).some((run) => /[g-z]/.test(run) && new Set(run).size >= minDistinct)

/**
 * Returns the id of a request: the client's id if it is short and plain, otherwise a generated id. Ids are returned and
 * logged, so an id that holds an API key, whole or without its prefix, is never kept. `secrets`: other texts that the
 * id must not contain.
 */
export const requestIdOf = (sent: string | readonly string[] | undefined, secrets: readonly string[]): string => {
  const isKept =
    typeof sent === 'string' &&
    keptForm.test(sent) &&
    !mayHoldSecret(sent) &&
    !secrets.some((secret) => sent.includes(secret))
  return isKept ? sent : `req_${randomUUID()}`
}
