import { deletionRequested, namespaceCreated, uploadAccepted } from '@cairn/contracts/events'
import { seededRandom } from '@cairn/testing/seeded-random'
import { expect, it } from 'vitest'
import { forged, knownIdsOf, rubbish } from './forgeries.ts'

const known = { namespaces: ['ns_1', 'ns_2'], uploads: ['upload_1'], deletions: ['del_1'] }
const events = [uploadAccepted, deletionRequested, namespaceCreated]

/** Whether the message is an envelope of a known type whose data matches the schema of that type. */
const isTaken = (value: Buffer): boolean => {
  try {
    const { id, key, correlationId, occurredAt, type, data } = JSON.parse(value.toString()) as Record<string, unknown>
    const isEnvelope = [id, key, correlationId, occurredAt].every((field) => typeof field === 'string')
    return isEnvelope && events.some((event) => event.type === type && event.data.safeParse(data).success)
  } catch {
    return false
  }
}

it('finds the ids that messages speak of, each once', () => {
  const values = [
    { data: { namespaceId: 'ns_1', uploadId: 'upload_1' } },
    { data: { namespaceId: 'ns_2', deletionId: 'del_1' } },
    { data: { namespaceId: 'ns_1' } },
    { data: null },
  ]
  expect(knownIdsOf(values.map((value) => JSON.stringify(value)))).toEqual(known)
})

it('forges messages that a service takes for good ones', () => {
  const messages = forged(seededRandom(1), known, 200)
  expect(messages).toHaveLength(200)
  for (const { value } of messages) expect(isTaken(value), value.toString()).toBe(true)
})

it('makes rubbish that no service takes, recognizable by its key', () => {
  const messages = rubbish(seededRandom(1), 200)
  for (const { key, value } of messages) {
    expect(isTaken(value), value.toString().slice(0, 200)).toBe(false)
    expect(key).toMatch(/^rubbish-/)
  }
})

it('makes the same of the same seed', () => {
  const texts = (messages: ReturnType<typeof rubbish>) => messages.map(({ value }) => value.toString())
  expect(texts(forged(seededRandom(3), known, 20))).toEqual(texts(forged(seededRandom(3), known, 20)))
  expect(texts(rubbish(seededRandom(3), 20))).toEqual(texts(rubbish(seededRandom(3), 20)))
})
