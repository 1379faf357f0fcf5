import type { Envelope } from '@cairn/contracts/events'

const isText = (value: unknown): value is string => typeof value === 'string'

const isEnvelope = (value: unknown): value is Envelope => {
  if (typeof value !== 'object' || value === null) return false
  const { id, type, key, correlationId, occurredAt } = value as Partial<Record<keyof Envelope, unknown>>
  // Adapters deliver text that is not an envelope as `unreadable`.
  return [id, type, key, correlationId, occurredAt].every(isText) && type !== 'unreadable'
}

const parse = (raw: string): unknown => {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

/**
 * Returns a new object each time. Text that is not an envelope gets the type `unreadable`; `at` is the time it was
 * stored (milliseconds since the epoch).
 */
export const readEnvelope = (
  raw: string,
  stored: { readonly id: string; readonly key: string; readonly at: number },
): Envelope => {
  const value = parse(raw)
  if (isEnvelope(value)) return value
  return {
    id: stored.id,
    type: 'unreadable',
    key: stored.key,
    correlationId: '',
    occurredAt: new Date(stored.at).toISOString(),
    data: raw,
  }
}
