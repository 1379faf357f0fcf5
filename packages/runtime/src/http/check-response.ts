import type { Operation } from '@cairn/contracts/http/operation'
import type { HttpResponse } from './api-request.ts'

/** Returns the path of the first value that the schema dropped, if any. */
const droppedIn = (sent: unknown, kept: unknown, path: string): string | undefined => {
  if (sent === kept || typeof sent !== 'object' || sent === null) return undefined
  if (typeof kept !== 'object' || kept === null) return path
  for (const [key, value] of Object.entries(sent)) {
    if (value === undefined) continue
    const at = path === '' ? key : `${path}.${key}`
    if (!Object.hasOwn(kept, key)) return at
    const dropped = droppedIn(value, (kept as Readonly<Record<string, unknown>>)[key], at)
    if (dropped !== undefined) return dropped
  }
  return undefined
}

/** Throws if the operation does not declare the status (below 400) or a field of the body. */
export const checkResponse = (
  { operationId, responses }: Operation,
  { status, body, events, stream }: HttpResponse,
): void => {
  const declared = responses[status]
  const fault = (what: string) => new Error(`response ${status} of ${operationId} is not as declared: ${what}`)
  if (!declared) {
    if (status < 400) throw fault('no such status')
    return
  }
  const schemas = [declared.body, declared.instead].filter((schema) => schema !== undefined)
  if (events || stream || schemas.length === 0 || body instanceof Uint8Array) return
  const faults: string[] = []
  for (const schema of schemas) {
    const result = schema.safeParse(body)
    if (result.success) {
      const dropped = droppedIn(body, result.data, '')
      if (dropped === undefined) return
      faults.push(`no field ${dropped}`)
    } else faults.push(...result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`))
  }
  throw fault(faults.join('; '))
}
