import type { Envelope } from '@cairn/contracts/events'
import type { Clock } from '@cairn/domain/ports/clock'
import { createKafka, type KafkaConnection, type KafkaLog } from './client.ts'
import { kafkaConnected } from './connection.ts'

const record = (message: Envelope) => {
  const { key, correlationId, traceparent, tracestate } = message
  const headers = {
    'x-request-id': correlationId,
    ...(traceparent ? { traceparent } : {}),
    ...(tracestate ? { tracestate } : {}),
  }
  return { key, value: JSON.stringify(message), headers }
}

/**
 * Publishes to existing topics. A request without a response after `timeoutMs` is rejected; its messages may be stored.
 */
export const createKafkaPublisher = (options: {
  readonly connection: KafkaConnection
  readonly log: KafkaLog | undefined
  readonly clock: Clock
  readonly timeoutMs: number
}) => {
  const { connection, log, clock, timeoutMs } = options
  const connected = kafkaConnected({
    connect: async () => {
      const retry = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4 }
      const kafka = createKafka(connection, log, { requestTimeoutMs: timeoutMs, retries: 3 })
      const producer = kafka.producer({ allowAutoTopicCreation: false, retry })
      await producer.connect()
      return producer
    },
    clock,
    timeoutMs,
  })
  return {
    // The leader's word is enough: what a broker loses, the store still knows.
    publish: (topic: string, messages: readonly Envelope[]) =>
      connected.run((producer) =>
        producer.send({ topic, acks: 1, timeout: timeoutMs, messages: messages.map(record) }),
      ),
    close: connected.close,
  }
}
