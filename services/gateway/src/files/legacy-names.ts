import type { Call } from '../call.ts'

const headers = {
  deprecation: '@1767225600',
  sunset: 'Fri, 01 May 2026 00:00:00 GMT',
  warning: '299 - "fileName and fileNames are deprecated; send file_name and file_names"',
} as const

/** Told to whoever still sends camelCase names, be the answer a refusal: since when they are out of date, and when they go. */
export const sayDeprecated = ({ setHeader }: Pick<Call, 'setHeader'>): void => {
  for (const [name, value] of Object.entries(headers)) setHeader(name, value)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a body, whatever else is in it, has earlier names. */
export const hasEarlierNames = (body: unknown): boolean =>
  isObject(body) && (body['fileName'] !== undefined || body['fileNames'] !== undefined)

/** A body in its present names. `isLegacy`: it had earlier ones, which are left out where they are not allowed. */
export const presentNames = (body: unknown, allowed: boolean): { readonly body: unknown; readonly isLegacy: boolean } => {
  if (!isObject(body)) return { body, isLegacy: false }
  const { fileName, fileNames: _, ...present } = body
  const isLegacy = allowed && hasEarlierNames(body)
  if (!isLegacy) return { body: present, isLegacy }
  return { body: fileName === undefined || present['file_name'] !== undefined ? present : { ...present, file_name: fileName }, isLegacy }
}
