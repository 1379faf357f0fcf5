import { operations } from '@cairn/contracts/api/operations'
import type { Client } from './client.ts'

/** An event of the API's stream, with the id after which a client can resume. */
export type FollowedEvent = {
  readonly position: string
  readonly type: string
  readonly [field: string]: unknown
}

type Follow = { readonly after?: string | undefined; readonly signal: AbortSignal; readonly namespace?: string }

/** Yields events from one connection until the connection ends, including `ready`; comments are left out. */
export const followEvents = async function* (
  api: Client,
  { after, signal, namespace }: Follow,
): AsyncGenerator<FollowedEvent> {
  const query = after === undefined ? {} : { after }
  const response =
    namespace === undefined
      ? await api.raw(operations.getEvents, { query }, signal)
      : await api.raw(operations.getNamespaceEvents, { params: { namespace_name: namespace }, query }, signal)
  if (response.status !== 200) throw new Error(`the events are ${response.status}: ${await response.text()}`)
  let rest = ''
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const frames = `${rest}${piece}`.split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      if (frame.startsWith(':')) continue
      const [, position = '', event = '', data = ''] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(frame) ?? []
      const body = JSON.parse(data) as { readonly type: string }
      if (body.type !== event) throw new Error(`an event is named ${event} and ${body.type}`)
      yield { ...body, position }
    }
  }
}

/**
 * Reads events after `after` until `isEnough` returns true; rejects after `withinMs` (default: 60 s) or when the stream
 * ends.
 */
export const eventsUntil = async (
  api: Client,
  options: Omit<Follow, 'signal'> & { readonly withinMs?: number },
  isEnough: (events: readonly FollowedEvent[]) => boolean,
): Promise<readonly FollowedEvent[]> => {
  const found: FollowedEvent[] = []
  const signal = AbortSignal.timeout(options.withinMs ?? 60_000)
  try {
    for await (const event of followEvents(api, { ...options, signal })) {
      found.push(event)
      if (isEnough(found)) return found
    }
  } catch (error) {
    throw new Error(`not so in time; found ${JSON.stringify(found)}`, { cause: error })
  }
  throw new Error(`the stream ended; found ${JSON.stringify(found)}`)
}
