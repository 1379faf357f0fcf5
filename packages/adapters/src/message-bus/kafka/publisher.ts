import type { Envelope } from '@cairn/contracts/events'
import { createKafka } from './client.ts'
import { type KafkaClientOptions, kafkaConnected } from './connection.ts'

const record = (message: Envelope) => {
  const { key, correlationId, traceparent, tracestate } = message
  const headers = {
    'x-request-id': correlationId,
    ...(traceparent ? { traceparent } : {}),
    ...(tracestate ? { tracestate } : {}),
  }
  return { key, value: JSON.stringify(message), headers }
}

/** A request without a response after `timeoutMs` is rejected; its messages may be stored. */
export const createKafkaPublisher = (options: KafkaClientOptions) => {
  const { connection, log, timeoutMs } = options
  const connected = kafkaConnected(options, async () => {
    const retry = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4 }
    const kafka = createKafka(connection, log, { requestTimeoutMs: timeoutMs, retries: 3 })
    const producer = kafka.producer({ allowAutoTopicCreation: false, retry })
    await producer.connect()
    return producer
  })
  return {
    // The leader's acknowledgement is enough: the store still knows messages that a broker loses.
    publish: (topic: string, messages: readonly Envelope[]) =>
      connected.run((producer) =>
        producer.send({ topic, acks: 1, timeout: timeoutMs, messages: messages.map(record) }),
      ),
    close: connected.close,
  }
}
