import { randomUUID } from 'node:crypto'

const keptForm = /^(?!cairn_)[A-Za-z0-9._-]{1,64}$/
/** The characters of API keys (see api-key.ts), as many in a row as a secret has. */
const longRuns = /[0-9a-hj-kmnp-tv-z]{32,}/g
/** A secret has about 20 different ones. */
const fewest = 10

/** Whether it may hold the secret of an API key. Hexadecimal digits alone are the ids of other tools. */
const mayHoldSecret = (text: string): boolean =>
  (text.match(longRuns) ?? []).some((run) => /[g-z]/.test(run) && new Set(run).size >= fewest)

/**
 * The id of a call: what its client sent where that is short and plain, else a generated one. Ids are answered and logged, so what holds a key
 * that was put into the wrong header, whole or without its prefix, is never kept. `secrets`: other texts that must not be in one.
 */
export const requestIdOf = (sent: string | readonly string[] | undefined, secrets: readonly string[]): string => {
  const isKept = typeof sent === 'string' && keptForm.test(sent) && !mayHoldSecret(sent) && !secrets.some((secret) => sent.includes(secret))
  return isKept ? sent : `req_${randomUUID()}`
}
