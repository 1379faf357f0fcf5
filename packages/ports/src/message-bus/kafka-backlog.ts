import type { Clock } from '../clock/port.ts'
import type { KafkaAdmin } from './kafka-admin.ts'
import { type Progress, type ShareState, unhandledOf } from './kafka-buffer.ts'
import type { Backlog } from './port.ts'

/** How far a group has come on every partition of a topic (names as Kafka has them). */
export const readProgress = async (admin: KafkaAdmin, topic: string, groupId: string): Promise<Progress[]> => {
  const [ends, [group]] = await Promise.all([
    admin.run((link) => link.fetchTopicOffsets(topic)),
    admin.run((link) => link.fetchOffsets({ groupId, topics: [topic] })),
  ])
  const commits = new Map((group?.partitions ?? []).map((commit) => [commit.partition, commit]))
  return ends.map(({ partition, low, high }) => {
    const commit = commits.get(partition)
    return { partition, begin: Number(low), end: Number(high), committed: Number(commit?.offset ?? -1), metadata: commit?.metadata ?? null }
  })
}

type Place = { readonly partition: number; readonly offset: number }

/** A first step back in time from now, and how much larger each next one is. */
const firstStepMs = 100
const stepFactor = 8

/**
 * When the oldest of the messages at these places was stored, exact to a millisecond. Kafka tells for a time which message
 * was the first stored then or later, so a time by which one of ours was stored is narrowed down: some 20 questions for a
 * message that waits for an hour. Reading the messages themselves would take a consumer, and so a group with a rebalance of
 * its own, for every question.
 */
const oldestStoredAt = async (admin: KafkaAdmin, topic: string, places: readonly Place[], now: number): Promise<number> => {
  const isOneBefore = async (time: number) => {
    const firsts = await admin.run((link) => link.fetchTopicOffsetsByTimestamp(topic, time))
    const firstOf = new Map(firsts.map(({ partition, offset }) => [partition, Number(offset)]))
    return places.some(({ partition, offset }) => (firstOf.get(partition) ?? offset) > offset)
  }
  let before = now
  if (!(await isOneBefore(before))) return now
  let from = now - firstStepMs
  for (let step = firstStepMs * stepFactor; from > 0 && (await isOneBefore(from)); step *= stepFactor) {
    before = from
    from = Math.max(0, now - step)
  }
  while (before - from > 1) {
    const middle = Math.floor((from + before) / 2)
    if (await isOneBefore(middle)) before = middle
    else from = middle
  }
  return from
}

/**
 * What groups have not handled. What this process consumes itself is known here, down to the last message; of other members,
 * and of groups nobody consumes for, the last commit tells. Where the oldest message is one nobody here has fetched, its time
 * is looked up, and kept for as long as the group does not move.
 */
export const createKafkaBacklog = (deps: { readonly admin: KafkaAdmin; readonly clock: Clock }) => {
  const { admin, clock } = deps
  const found = new Map<string, { readonly places: string; readonly at: number }>()

  const lookUp = async (topic: string, groupId: string, places: readonly Place[]) => {
    const now = clock.now()
    const where = JSON.stringify(places)
    const last = found.get(`${groupId} ${topic}`)
    if (last?.places === where) return last.at
    const at = await oldestStoredAt(admin, topic, places, now)
    found.set(`${groupId} ${topic}`, { places: where, at })
    return at
  }

  return async (
    topic: string,
    groupId: string,
    states: ReadonlyMap<number, ShareState>,
    isCounted: (partition: number) => boolean = () => true,
  ): Promise<Backlog> => {
    let messages = 0
    const times: number[] = []
    const unknown: Place[] = []
    for (const progress of await readProgress(admin, topic, groupId)) {
      const { partition, begin, end } = progress
      if (!isCounted(partition)) continue
      const state = states.get(partition)
      const behind = state ? { low: Math.max(begin, state.low), messages: state.unhandled(begin, end) } : unhandledOf(progress)
      if (behind.messages === 0) continue
      messages += behind.messages
      if (state?.oldestAt === undefined) unknown.push({ partition, offset: behind.low })
      else times.push(state.oldestAt)
    }
    if (unknown.length > 0) times.push(await lookUp(topic, groupId, unknown))
    return { messages, oldestAgeMs: times.length === 0 ? 0 : Math.max(0, clock.now() - Math.min(...times)) }
  }
}
