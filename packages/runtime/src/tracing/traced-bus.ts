import type { Envelope } from '@cairn/contracts/events'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import { remoteSpan, type Tracing } from './tracing.ts'

/** Messages carry the context of the publishing span; handlers run in a child span. Others are handled as usual. */
export const tracedBus = (bus: MessageBus, tracing: Tracing): MessageBus => {
  const facts = (topic: string, operation: 'send' | 'process') => ({
    'messaging.system': bus.system,
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
      facts: {
        ...facts(topic, 'send'),
        'messaging.batch.message_count': messages.length > 1 ? messages.length : undefined,
      },
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
      bus.subscribe(from, (message, position) => {
        const parent = remoteSpan(message.traceparent, message.tracestate)
        if (!parent) return handle(message, position)
        const what = {
          name: `process ${from.topic}`,
          kind: 'consumer' as const,
          parent,
          // Nothing of the content: another publisher may have sent it.
          facts: { ...facts(from.topic, 'process'), 'messaging.consumer.group.name': from.group },
        }
        return tracing.within(what, () => handle(message, position))
      }),
  }
}
