import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Operation } from '@cairn/contracts/http/operation'

const ignore = () => undefined
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => silent }

/** Creates a request for guards with these headers (lower-case names). `sent` has the response headers set so far. */
export const guardedRequest = <C>(operation: Operation, headers: Readonly<Record<string, string>> = {}, caller?: C) => {
  const sent: Record<string, string> = {}
  const ended: (() => void)[] = []
  return {
    operation,
    traceparent: null,
    requestId: 'request-1',
    params: {},
    sentQuery: {},
    log: silent,
    timings: {
      time: async <T>(_stage: string, work: () => Promise<T> | T) => work(),
      elapsedMs: () => 0,
      seconds: () => ({}),
    },
    signal: new AbortController().signal,
    raw: new IncomingMessage(new Socket()),
    header: (name: string) => headers[name],
    setHeader: (name: string, value: string) => {
      sent[name] = value
    },
    continueBody: ignore,
    onEnd: (release: () => void) => void ended.push(release),
    /** Ends the request. */
    end: () => {
      for (const release of ended.splice(0)) release()
    },
    caller: caller as C | undefined,
    sentBody: undefined as unknown,
    bodyHash: undefined as string | undefined,
    sent: sent as Readonly<Record<string, string>>,
  }
}
