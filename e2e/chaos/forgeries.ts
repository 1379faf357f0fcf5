import {
  deletionRequested,
  type Envelope,
  type EventDefinition,
  namespaceCreated,
  uploadAccepted,
} from '@cairn/contracts/events'
import type { Random } from '@cairn/testing/seeded-random'

/** Real ids that occurred in messages. */
export type KnownIds = {
  readonly namespaces: readonly string[]
  readonly uploads: readonly string[]
  readonly deletions: readonly string[]
}

export type RawMessage = { readonly topic: string; readonly key: string; readonly value: Buffer }

const idsIn: Readonly<Record<string, keyof KnownIds>> = {
  namespaceId: 'namespaces',
  uploadId: 'uploads',
  deletionId: 'deletions',
}

/** Returns the ids in messages, which are available to anyone who reads the topic. */
export const knownIdsOf = (values: Iterable<string>): KnownIds => {
  const found = { namespaces: new Set<string>(), uploads: new Set<string>(), deletions: new Set<string>() }
  for (const value of values) {
    const data: unknown = (JSON.parse(value) as Partial<Envelope>).data
    if (typeof data !== 'object' || data === null) continue
    for (const [field, id] of Object.entries(data)) {
      const kind = idsIn[field]
      if (kind && typeof id === 'string') found[kind].add(id)
    }
  }
  return { namespaces: [...found.namespaces], uploads: [...found.uploads], deletions: [...found.deletions] }
}

const wrap = (
  random: Random,
  { type, topic }: Pick<EventDefinition<unknown>, 'type' | 'topic'>,
  data: unknown,
  mark: string,
): RawMessage => {
  const key = `${mark}-${random.below(2 ** 31)}`
  const envelope: Envelope = {
    id: `msg-${key}`,
    type,
    key,
    correlationId: mark,
    occurredAt: new Date(0).toISOString(),
    data,
  }
  return { topic, key, value: Buffer.from(JSON.stringify(envelope)) }
}

/**
 * Returns well-formed messages with false data: jobs of one account with namespaces of another, ids of one kind as
 * those of another, jobs that nobody requested, deleted objects. None may have any effect or be unreadable.
 */
export const forged = (random: Random, known: KnownIds, count: number): RawMessage[] => {
  const some = (ids: readonly string[]) =>
    ids.length > 0 && !random.chance(0.2) ? random.pick(ids) : `nobody_${random.below(2 ** 31)}`
  const lies = [
    () =>
      wrap(random, uploadAccepted, { namespaceId: some(known.namespaces), uploadId: some(known.uploads) }, 'forged'),
    () =>
      wrap(random, uploadAccepted, { namespaceId: some(known.namespaces), uploadId: some(known.namespaces) }, 'forged'),
    () =>
      wrap(
        random,
        deletionRequested,
        { namespaceId: some(known.namespaces), deletionId: some(known.deletions) },
        'forged',
      ),
    () =>
      wrap(
        random,
        deletionRequested,
        { namespaceId: some(known.namespaces), deletionId: some(known.uploads) },
        'forged',
      ),
    () =>
      wrap(
        random,
        deletionRequested,
        { namespaceId: some(known.namespaces), deletionId: some(known.namespaces) },
        'forged',
      ),
    () => wrap(random, namespaceCreated, { namespaceId: some([...known.namespaces, ...known.uploads]) }, 'forged'),
  ]
  return Array.from({ length: count }, () => random.pick(lies)())
}

const topics = [uploadAccepted.topic, deletionRequested.topic, namespaceCreated.topic] as const

/** Returns messages that no service can read. Their keys begin with `rubbish-`. */
export const rubbish = (random: Random, count: number): RawMessage[] =>
  Array.from({ length: count }, (_, index) => {
    const mark = `rubbish-${index + 1}-`
    const topic = random.pick(topics)
    const raw = (value: Buffer | string): RawMessage => ({ topic, key: mark, value: Buffer.from(value) })
    const kinds = [
      () => raw(`${mark} is no JSON {`),
      () => raw(Buffer.concat([Buffer.from(mark), Buffer.from([0x00, 0xff, 0xfe, 0xc3, 0x28])])),
      () => raw(JSON.stringify([mark])),
      () => raw(JSON.stringify({ id: mark, type: 7, data: null })),
      () => raw(JSON.stringify(mark.repeat(20_000))),
      () => wrap(random, { type: 'upload.acceptedd', topic }, { namespaceId: mark, uploadId: mark }, mark),
      () => wrap(random, uploadAccepted, { namespaceId: mark }, mark),
      () => wrap(random, uploadAccepted, { namespaceId: { $ne: null }, uploadId: mark }, mark),
      () => wrap(random, deletionRequested, { namespaceId: mark, deletionId: 'x'.repeat(201) }, mark),
      () => wrap(random, deletionRequested, { namespaceId: mark, deletionId: mark, accountId: 'acc_first' }, mark),
      () => wrap(random, namespaceCreated, null, mark),
      () => wrap(random, namespaceCreated, { namespaceId: mark, __proto__: { a: 1 }, constructor: mark }, mark),
    ]
    return random.pick(kinds)()
  })
