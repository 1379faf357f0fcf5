import type { Call } from './call.ts'

/** Tells clients that send camelCase names since when they are deprecated, until when, and what to send `instead`. */
export const markDeprecated = ({ setHeader }: Pick<Call, 'setHeader'>, instead: string): void => {
  setHeader('deprecation', '@1767225600')
  setHeader('sunset', 'Fri, 01 May 2026 00:00:00 GMT')
  setHeader('warning', `299 - "${instead}"`)
}
