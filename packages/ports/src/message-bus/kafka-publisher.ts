import { AppError } from '@cairn/contracts/errors'
import type { Envelope } from '@cairn/contracts/events'
import { type IHeaders, Partitioners, type Producer } from 'kafkajs'
import type { Clock } from '../clock/port.ts'
import { createKafka, type KafkaConnection, type KafkaLog, kafkaErrorType, within } from './kafka-client.ts'

type Outgoing = { readonly key: string; readonly value: string; readonly headers: IHeaders; readonly bytes: number }
/** One call of `publish`; `sent` of its messages are durable. */
type Call = {
  readonly topic: string
  readonly messages: readonly Outgoing[]
  sent: number
  over: boolean
  readonly end: PromiseWithResolvers<void>
}
type Part = { readonly call: Call; readonly messages: readonly Outgoing[] }

/** A broker takes 1 MB for one partition (`message.max.bytes`), and all messages of a chunk may be for the same one. */
const chunkBytes = 700_000
const chunkMessages = 1_000
/** What a record has beside key and value: lengths, offsets, headers. */
const recordBytes = 200
const pauseMs = 250

const outgoing = (message: Envelope): Outgoing => {
  const { key, correlationId, traceparent, tracestate } = message
  const value = JSON.stringify(message)
  const headers = { 'x-request-id': correlationId, ...(traceparent ? { traceparent } : {}), ...(tracestate ? { tracestate } : {}) }
  return { key, value, headers, bytes: Buffer.byteLength(key) + Buffer.byteLength(value) + recordBytes }
}

/** The first messages of the first calls, as many as go together; one that is too large for that goes alone. */
const nextChunk = (calls: readonly Call[]): Part[] => {
  const parts: Part[] = []
  let bytes = 0
  let count = 0
  for (const call of calls) {
    const rest = call.messages.slice(call.sent, call.sent + chunkMessages - count)
    const cut = rest.findIndex((message) => {
      bytes += message.bytes
      return bytes > chunkBytes
    })
    const fitting = cut < 0 ? rest : rest.slice(0, count + cut === 0 ? 1 : cut)
    if (fitting.length > 0) parts.push({ call, messages: fitting })
    count += fitting.length
    if (cut >= 0 || count >= chunkMessages) break
  }
  return parts
}

/**
 * A producer and what it has left undone. kafkajs repeats a failed request for the partitions' present leaders, and passes
 * over those whose messages came to a broker that had already answered: so every partition has to be among the answers.
 */
const createLink = async (connection: KafkaConnection, log: KafkaLog | undefined, timeoutMs: number) => {
  const chosen = new Set<string>()
  let abandoned = false
  const producer: Producer = createKafka(connection, log, { requestTimeoutMs: timeoutMs, retries: 3 }).producer({
    idempotent: true,
    allowAutoTopicCreation: false,
    // Few and short: see `send`. What an abandoned producer still tries ends here or in the partitioner.
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4 },
    createPartitioner: () => {
      const choose = Partitioners.DefaultPartitioner()
      return (record) => {
        if (abandoned) throw Object.assign(new Error('the producer was given up'), { retriable: false })
        const partition = choose(record)
        chosen.add(`${record.topic}/${partition}`)
        return partition
      }
    },
  })
  await producer.connect()
  return {
    send: async (parts: readonly Part[]) => {
      chosen.clear()
      const topicMessages = parts.map(({ call, messages }) => ({ topic: call.topic, messages: [...messages] }))
      const answers = await producer.sendBatch({ acks: -1, timeout: timeoutMs, topicMessages })
      for (const { topicName, partition } of answers) chosen.delete(`${topicName}/${partition}`)
      if (chosen.size > 0) throw new Error(`no answer for ${[...chosen].join(', ')}`)
    },
    abandon: () => {
      abandoned = true
      return producer.disconnect()
    },
  }
}
type Link = Awaited<ReturnType<typeof createLink>>

/**
 * One idempotent producer, one request at a time; what is published meanwhile goes with the next request.
 *
 * One at a time, because kafkajs gives the sequence number of a request that failed to the next one: had the broker stored
 * the first and lost only the answer, it would take the second for a repetition and drop it. For the same reason a producer
 * with a request that failed after its retries, or took too long, is never used again: a new one has a new identity, to
 * which numbers out of order or fenced epochs of the old one mean nothing.
 */
export const createKafkaPublisher = (options: {
  readonly connection: KafkaConnection
  readonly log: KafkaLog | undefined
  readonly clock: Clock
  /** A call that is not through by then is rejected. It may have been stored, or may yet be. */
  readonly timeoutMs: number
  readonly requireTopic: (topic: string) => Promise<void>
}) => {
  const { connection, log, clock, timeoutMs, requireTopic } = options
  let calls: Call[] = []
  let link: Promise<Link> | undefined
  let sending: Promise<void> | undefined
  let trouble: unknown
  let closed = false

  const abandon = async (left: Promise<Link>) => {
    if (link === left) link = undefined
    await within(
      clock,
      timeoutMs,
      'disconnecting',
      left.then((used) => used.abandon()),
    ).catch(() => {})
  }

  const send = async (parts: readonly Part[]) => {
    link ??= createLink(connection, log, timeoutMs)
    const used = link
    try {
      await within(
        clock,
        timeoutMs,
        'publishing',
        used.then((ready) => ready.send(parts)),
      )
    } catch (error) {
      void abandon(used)
      throw error
    }
  }

  const sendChunk = async (parts: readonly Part[]) => {
    try {
      await send(parts)
    } catch (error) {
      const type = kafkaErrorType(error)
      if (type === 'MESSAGE_TOO_LARGE' || type === 'RECORD_LIST_TOO_LARGE') {
        for (const { call } of parts) {
          call.over = true
          call.end.reject(new AppError('internal', 'a message is too large for Kafka', { cause: error }))
        }
        return
      }
      trouble = error
      log?.warn({ err: error, messages: parts.reduce((sum, part) => sum + part.messages.length, 0) }, 'not published, tried again')
      await clock.delay(pauseMs)
      return
    }
    trouble = undefined
    for (const { call, messages } of parts) {
      call.sent += messages.length
      if (call.sent === call.messages.length) call.end.resolve()
    }
  }

  const sendAll = async () => {
    for (;;) {
      calls = calls.filter(({ over, sent, messages }) => !over && sent < messages.length)
      if (calls.length === 0) break
      await sendChunk(nextChunk(calls))
    }
    sending = undefined
  }

  const enqueue = async (call: Call) => {
    await requireTopic(call.topic)
    if (closed) throw new AppError('unavailable', 'the message bus is closed')
    if (call.over) return
    calls.push(call)
    // In a moment: calls of the same turn go together.
    sending ??= Promise.resolve().then(sendAll)
    await call.end.promise
  }

  return {
    publish: async (topic: string, messages: readonly Envelope[]) => {
      const call: Call = { topic, messages: messages.map(outgoing), sent: 0, over: false, end: Promise.withResolvers<void>() }
      try {
        await within(clock, timeoutMs, 'publishing', enqueue(call), () => trouble)
      } finally {
        call.over = true
      }
    },
    /** What was published before is sent, or given up when its time is over. */
    close: async () => {
      closed = true
      await sending
      if (link) await abandon(link)
    },
  }
}
