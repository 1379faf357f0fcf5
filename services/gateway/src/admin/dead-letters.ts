import { notFound } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { AppError } from '@cairn/contracts/errors'
import type { Envelope } from '@cairn/contracts/events'
import type { DeadLetter } from '@cairn/domain/jobs/record'
import type { Endpoint } from '@cairn/runtime/http/api-request'
import { endpoint, type ResponseBody } from '@cairn/runtime/http/endpoint'
import type { Caller } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { iso, isoOrNull } from '../iso.ts'

const view = (letter: DeadLetter): ResponseBody<typeof operations.replayDeadLetter, 200> => ({
  dead_letter_id: letter.id,
  topic: letter.topic,
  group: letter.group,
  reason: letter.reason,
  message: letter.raw,
  created_at: iso(letter.at),
  replayed_at: isoOrNull(letter.replayedAt),
})

export const listDeadLetters = ({ store }: GatewayPorts): Endpoint<Caller> =>
  endpoint(operations.listDeadLetters, async ({ query }) => {
    const { limit, after } = query()
    const letters = await store.deadLetters.page({ limit, ...(after === undefined ? {} : { after }) })
    const next = letters.length === limit ? (letters.at(-1)?.id ?? null) : null
    return { status: 200, body: { dead_letters: letters.map(view), next } }
  })

const fields = ['id', 'type', 'key', 'correlationId', 'occurredAt'] as const
const isText = (message: object, name: string) =>
  typeof (message as Readonly<Record<string, unknown>>)[name] === 'string'

const readEnvelope = ({ raw }: DeadLetter): Envelope => {
  try {
    const message: unknown = JSON.parse(raw)
    // Without these fields the bus could not store the message, or would deliver it as unreadable again.
    if (typeof message === 'object' && message !== null && fields.every((name) => isText(message, name)))
      return message as Envelope
  } catch {
    // Reported below, like any other text that is not a message.
  }
  throw new AppError('conflict', 'The message could not be parsed when it arrived, so it cannot be replayed')
}

export const replayDeadLetter = ({
  store,
  bus,
  clock,
}: Pick<GatewayPorts, 'store' | 'bus' | 'clock'>): Endpoint<Caller> =>
  endpoint(operations.replayDeadLetter, async ({ params }) => {
    const letter = await store.deadLetters.get(params.dead_letter_id)
    if (!letter) throw notFound('dead letter')
    await bus.publish(letter.topic, [readEnvelope(letter)])
    const replayedAt = clock.now()
    await store.deadLetters.replayed(letter.id, replayedAt)
    return { status: 200, body: view({ ...letter, replayedAt }) }
  })
