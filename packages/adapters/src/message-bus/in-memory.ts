import { AppError } from '@cairn/contracts/errors'
import type { Envelope } from '@cairn/contracts/events'
import type { HandleMessage, MessageBus } from '@cairn/domain/ports/message-bus'
import { type BusLog, deliver } from './deliver.ts'

type Member = { readonly handle: HandleMessage; readonly running: Set<Promise<void>> }

/** A message published while a group has no member is lost for that group. */
export const inMemoryMessageBus = ({ log }: { readonly log?: BusLog | undefined } = {}): MessageBus => {
  const topics = new Map<string, Map<string, Member[]>>()
  let closed = false

  const enter = () => {
    if (closed) throw new AppError('unavailable', 'the message bus is closed')
  }

  const deliverToNext = (topic: string, members: Member[], message: Envelope) => {
    const member = members.shift()
    if (!member) return
    // So that the members take turns.
    members.push(member)
    const handled = deliver(member.handle, message, { topic, log }).finally(() => member.running.delete(handled))
    member.running.add(handled)
  }

  const leave = async (members: Member[], member: Member) => {
    if (members.includes(member)) members.splice(members.indexOf(member), 1)
    await Promise.all(member.running)
  }

  return {
    // OpenTelemetry's conventions have no name for a bus in one process.
    system: 'in-memory',
    publish: async (topic, messages) => {
      enter()
      // Handlers run in a later turn of the event loop, so that they don't delay the publisher.
      for (const members of topics.get(topic)?.values() ?? [])
        for (const message of messages) setImmediate(deliverToNext, topic, members, message)
    },
    subscribe: ({ topic, group }, handle) => {
      enter()
      const groups = topics.get(topic) ?? new Map<string, Member[]>()
      topics.set(topic, groups)
      const members = groups.get(group) ?? []
      groups.set(group, members)
      const member: Member = { handle, running: new Set() }
      members.push(member)
      return { close: () => leave(members, member) }
    },
    check: async () => enter(),
    close: async () => {
      closed = true
      const all = [...topics.values()].flatMap((groups) => [...groups.values()])
      await Promise.all(all.flatMap((members) => [...members].map((member) => leave(members, member))))
    },
  }
}
