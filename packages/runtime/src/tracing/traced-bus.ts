import type { Envelope } from '@cairn/contracts/events'
import type { MessageBus } from '@cairn/ports/message-bus/port'
import { remoteSpan, type Tracing } from './tracing.ts'

/**
 * The same bus: what is published carries the span it was published in, and handlers run in one that goes on from there. Messages of
 * nobody's trace are published and handled as ever.
 */
export const tracedBus = (
  bus: MessageBus,
  { tracing, system }: { readonly tracing: Tracing; readonly system: 'kafka' | 'in-memory' },
): MessageBus => {
  const facts = (topic: string, operation: 'send' | 'process') => ({
    // The bus of one process has no name of its own in the conventions.
    'messaging.system': system,
    'messaging.destination.name': topic,
    'messaging.operation.type': operation,
    'messaging.operation.name': operation,
  })

  const publish = (topic: string, messages: readonly Envelope[]): Promise<void> => {
    const [first] = messages
    const parent = tracing.isRecording() ? undefined : remoteSpan(first?.traceparent, first?.tracestate)
    if (!tracing.isRecording() && !parent) return bus.publish(topic, messages)
    const what = {
      name: `send ${topic}`,
      kind: 'producer' as const,
      parent,
      facts: { ...facts(topic, 'send'), 'messaging.batch.message_count': messages.length > 1 ? messages.length : undefined },
    }
    return tracing.within(what, (span) => {
      const here = span.remote()
      return bus.publish(
        topic,
        messages.map((message) => ({ ...message, ...here })),
      )
    })
  }

  return {
    ...bus,
    publish,
    subscribe: (from, handle) =>
      bus.subscribe(from, (message) => {
        const parent = remoteSpan(message.traceparent, message.tracestate)
        if (!parent) return handle(message)
        const what = {
          name: `process ${from.topic}`,
          kind: 'consumer' as const,
          parent,
          // No content of the message: another publisher may have sent it.
          facts: { ...facts(from.topic, 'process'), 'messaging.consumer.group.name': from.group },
        }
        return tracing.within(what, () => handle(message))
      }),
  }
}
