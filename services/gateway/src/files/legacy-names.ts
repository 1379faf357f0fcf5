import { isUserObject } from '@cairn/contracts/documents/metadata'
import type { Call } from '../call.ts'

import { markDeprecated } from '../mark-deprecated.ts'

export const markFileNamesDeprecated = (call: Pick<Call, 'setHeader'>): void =>
  markDeprecated(call, 'fileName and fileNames are deprecated; send file_name and file_names')

/** Whatever the body's other content. */
export const hasEarlierNames = (body: unknown): boolean =>
  isUserObject(body) && (body['fileName'] !== undefined || body['fileNames'] !== undefined)

/** Drops earlier names unless `allowed`. `isLegacy`: the body had some. */
export const presentNames = (
  body: unknown,
  allowed: boolean,
): { readonly body: unknown; readonly isLegacy: boolean } => {
  if (!isUserObject(body)) return { body, isLegacy: false }
  const { fileName, fileNames: _, ...present } = body
  const isLegacy = allowed && hasEarlierNames(body)
  if (!isLegacy) return { body: present, isLegacy }
  return {
    body: fileName === undefined || present['file_name'] !== undefined ? present : { ...present, file_name: fileName },
    isLegacy,
  }
}
