import { expect, it } from 'vitest'
import { events } from './events.ts'

it('has one event of each type', () => {
  const types = events.map(({ type }) => type)
  expect(types).toEqual([...new Set(types)])
})

it('has one group for all events of a topic: another would count what it has no handler for as unreadable', () => {
  const groupOf = new Map(events.map(({ topic, group }) => [topic, group]))
  for (const { type, topic, group } of events) expect(group, type).toBe(groupOf.get(topic))
})
