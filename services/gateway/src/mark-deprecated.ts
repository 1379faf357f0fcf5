import type { Call } from './call.ts'

/**
 * Tells clients that send camelCase names, on every answer, since when the names are deprecated, when they go, and what
 * to send.
 */
export const markDeprecated = ({ setHeader }: Pick<Call, 'setHeader'>, instead: string): void => {
  setHeader('deprecation', '@1767225600')
  setHeader('sunset', 'Fri, 01 May 2026 00:00:00 GMT')
  setHeader('warning', `299 - "${instead}"`)
}
