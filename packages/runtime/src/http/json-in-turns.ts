import { createPauses } from '@cairn/contracts/flow/pauses'
import type { HttpResponse } from './api-request.ts'

/** UTF-16 units that become bytes together. */
const pieceLength = 64 * 1024
const type = { 'content-type': 'application/json; charset=utf-8' }

const hasList = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === 'object' &&
  body !== null &&
  Object.values(body).some((value) => Array.isArray(value) && value.length > 1)

/**
 * Writes a body with a list element by element, and lets other requests run in between: a page of long texts takes a
 * tenth of a second.
 */
export const serializeInTurns = async (response: HttpResponse): Promise<HttpResponse> => {
  const { body, headers } = response
  // First: a body of bytes would have each of them looked at as a value.
  if (headers?.['content-type'] !== undefined || !hasList(body)) return response
  const pause = createPauses()
  const pieces: Buffer[] = []
  let text = ''
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined) continue
    text += `${text === '' && pieces.length === 0 ? '{' : ','}${JSON.stringify(key)}:`
    if (!Array.isArray(value)) {
      text += JSON.stringify(value)
      continue
    }
    for (const [index, element] of value.entries()) {
      text += `${index === 0 ? '[' : ','}${JSON.stringify(element) ?? 'null'}`
      if (text.length < pieceLength) continue
      pieces.push(Buffer.from(text))
      text = ''
      await pause()
    }
    text += value.length === 0 ? '[]' : ']'
  }
  return { ...response, headers: { ...headers, ...type }, body: Buffer.concat([...pieces, Buffer.from(`${text}}`)]) }
}
