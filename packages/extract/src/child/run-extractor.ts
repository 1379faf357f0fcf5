import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { permanentError } from '@cairn/contracts/permanent-error'
import type { ExtractEvent } from '../block.ts'
import { unreadable } from '../unreadable.ts'
import { childMessage } from './child-messages.ts'
import { writeCompiledCode } from './compiled-code.ts'
import { watchMemory } from './process-memory.ts'
import type { ChildRequest } from './serve-extractor.ts'
import { type Child, startChild } from './start-child.ts'

export type Used = {
  /** Peak of the child and its descendants. */
  readonly peakBytes: number
  /** Time spent waiting for the child, without the consumer's time. */
  readonly ms: number
}

export type RunOptions = {
  /** The iteration rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Resident memory of the child and its descendants. Default 256 MiB. */
  readonly memoryBytes?: number
  /** Maximum time without output while the consumer waits. Default 60,000. */
  readonly silenceMs?: number
  /** Maximum total time, the consumer's included. Default: no limit. */
  readonly limitMs?: number
  /** Time that the consumer has waited for others, which does not count. Default: none. */
  readonly pausedMs?: () => number
  /** Parent of the child's own folder. Default: the system's folder for temporary files. */
  readonly scratch?: string
  /** The child's module, which calls `serveExtractor`. Default: `child.ts`. */
  readonly entry?: URL
  /** Called once, regardless of the outcome. */
  readonly onUsed?: (used: Used) => void
}

const mebibyte = 1024 * 1024
const defaultMemoryBytes = 256 * mebibyte
const defaultSilenceMs = 60_000
const outsideHeapBytes = 64 * mebibyte
/** UTF-16 units. A block has up to 50,000, each at most six bytes in JSON, and a header. */
const maxLineUnits = 4_000_000

const linesOf = async function* (stream: Readable): AsyncGenerator<string, undefined> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  try {
    for await (const chunk of stream) {
      const lines = (rest + decoder.write(chunk as Buffer)).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
      if (rest.length > maxLineUnits) throw unreadable('parser_crashed', 'The parser wrote an endless line.')
    }
  } catch (error) {
    // Reading the pipe of a killed process may fail with a system error.
    if (!(error instanceof Error && 'syscall' in error)) throw error
  }
}

const parse = (line: string) => {
  try {
    return childMessage.parse(JSON.parse(line))
  } catch (error) {
    throw unreadable('parser_crashed', 'The extractor sent an invalid message.', { cause: error })
  }
}

const exitError = ({ code, signal, error }: Awaited<Child['ended']>, stderr: string): Error => {
  if (error) return new Error(`the process that reads files did not start: ${error.message}`, { cause: error })
  const cause = new Error(stderr === '' ? 'it wrote nothing to its standard error' : stderr)
  if (/heap out of memory|allocation failed/i.test(stderr)) return tooLarge(cause)
  return unreadable('parser_crashed', `The parser ended with ${signal ?? `exit code ${code}`} before the file did.`, {
    cause,
  })
}

const tooLarge = (cause?: Error): Error =>
  unreadable('too_large_to_process', 'Reading the file takes more memory than there may be.', cause && { cause })

const tooSlow = (message: string): Error => unreadable('too_slow_to_process', message)

const run = async function* (
  request: ChildRequest,
  options: RunOptions,
  stop: AbortSignal,
): AsyncGenerator<ExtractEvent, undefined> {
  stop.throwIfAborted()
  const { memoryBytes = defaultMemoryBytes, silenceMs = defaultSilenceMs, limitMs = Number.POSITIVE_INFINITY } = options
  // Node compares permissions with real paths.
  const scratch = await mkdtemp(join(await realpath(options.scratch ?? tmpdir()), 'cairn-extract-'))
  try {
    await writeCompiledCode(request.type, scratch)
    const child = startChild({
      request: { ...request, path: resolve(request.path) },
      entry: options.entry ?? new URL('./child.ts', import.meta.url),
      scratch,
      heapMegabytes: Math.max(32, Math.floor((memoryBytes - outsideHeapBytes) / mebibyte)),
    })
    let firstError: Error | undefined
    const end = (error: Error) => {
      firstError ??= error
      child.process.kill('SIGKILL')
    }
    const onStop = () => end(stop.reason as Error)
    stop.addEventListener('abort', onStop)
    if (stop.aborted) onStop()
    const memory =
      child.process.pid === undefined ? undefined : watchMemory(child.process.pid, memoryBytes, () => end(tooLarge()))
    const startedAt = performance.now()
    let waitedMs = 0

    const next = async (lines: AsyncGenerator<string, undefined>): Promise<string | undefined> => {
      const since = performance.now()
      const leftMs = limitMs - (since - startedAt - (options.pausedMs?.() ?? 0))
      const waitMs = Math.min(silenceMs, leftMs)
      const late =
        waitMs === leftMs && leftMs <= silenceMs
          ? `Reading the file takes longer than ${Math.round(limitMs / 1_000)} s.`
          : `Nothing was read for ${silenceMs} ms.`
      const timer = Number.isFinite(waitMs) ? setTimeout(() => end(tooSlow(late)), Math.max(0, waitMs)) : undefined
      const { value } = await lines.next()
      clearTimeout(timer)
      waitedMs += performance.now() - since
      return value
    }

    try {
      const lines = linesOf(child.lines)
      for (;;) {
        const line = await next(lines)
        if (firstError) throw firstError
        if (line === undefined) throw exitError(await child.ended, child.stderr())
        const message = parse(line)
        if (message.event === 'end') return
        if (message.event === 'unreadable') throw unreadable(message.code, message.message)
        if (message.event === 'failed') {
          throw message.invalid
            ? permanentError('invalid_options', message.message)
            : new Error(message.message, { cause: new Error(child.stderr()) })
        }
        yield message
      }
    } finally {
      stop.removeEventListener('abort', onStop)
      memory?.stop()
      child.process.kill('SIGKILL')
      for (const stream of child.process.stdio) stream?.destroy()
      await child.ended
      options.onUsed?.({ peakBytes: memory?.peak() ?? 0, ms: waitedMs })
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/**
 * Reads a file in a child process, only as fast as the consumer. The child starts at the first step of the iteration
 * and is gone after the last, however it ends. Rejects with `PermanentError` if the file is the cause, even if it
 * crashed the process; with other errors for internal faults.
 */
export const runExtractor = (request: ChildRequest, options: RunOptions = {}): AsyncIterable<ExtractEvent> => ({
  [Symbol.asyncIterator]: () => {
    const left = new AbortController()
    const events = run(request, options, AbortSignal.any([left.signal, ...(options.signal ? [options.signal] : [])]))
    return {
      next: () => events.next(),
      return: () => {
        // A generator would first finish its current step, which may wait for a silent child.
        left.abort(new Error('the events are no longer read'))
        return events.return(undefined)
      },
    }
  },
})
