import { Socket } from 'node:net'
import { isAppError } from '@cairn/contracts/errors'
import type { FileType } from '@cairn/contracts/files/file-rules'
import type { ExtractOptions, Extractor } from '../block.ts'
import { isUnreadable } from '../unreadable.ts'
import type { ChildMessage } from './child-messages.ts'

/** Passed to the child as JSON in its first argument. */
export type ChildRequest = {
  readonly type: FileType
  readonly path: string
  readonly options: ExtractOptions
  /** Loads the parser only; see `compiled-code.ts`. */
  readonly loadsOnly?: boolean
}

export const readRequest = (): ChildRequest => JSON.parse(process.argv[2] ?? '') as ChildRequest

const outMessage = (error: unknown): ChildMessage => {
  if (isUnreadable(error)) return { event: 'unreadable', code: error.code, message: error.message }
  const message = error instanceof Error ? error.message : String(error)
  if (/allocation failed|out of memory/i.test(message)) {
    return {
      event: 'unreadable',
      code: 'too_large_to_process',
      message: 'Reading the file takes more memory than there may be.',
    }
  }
  return { event: 'failed', message, invalid: isAppError(error, 'invalid') }
}

/**
 * Ends the process at once. `process.exit` would wait for other threads, which may wait for this one: a compiling
 * thread may need memory that only a garbage collection here frees. Defined by `no-network.cjs`.
 */
export const endNow = (): void => (process as unknown as { endNow(): void }).endNow()

/** The child's counterpart of `runExtractor`: writes messages to descriptor 3, then ends the process. */
export const serveExtractor = async (extractorOf: (type: FileType) => Extractor): Promise<never> => {
  const out = new Socket({ fd: 3, readable: false, writable: true })
  // The parent is gone.
  out.on('error', endNow)
  process.stdin.on('end', endNow).resume()
  // Parsers leave rejected promises of optional work unhandled. If the work was needed, no more output follows, and the
  // parent notices the silence.
  process.on('unhandledRejection', (reason) => process.stderr.write(`left unhandled: ${String(reason)}\n`))
  const send = (message: ChildMessage): Promise<void> | undefined => {
    if (out.write(`${JSON.stringify(message)}\n`)) return undefined
    return new Promise((resolve) => out.once('drain', resolve))
  }
  let last: ChildMessage = { event: 'end' }
  try {
    const { type, path, options } = readRequest()
    for await (const event of extractorOf(type)(path, options)) await send(event)
  } catch (error) {
    if (!isUnreadable(error)) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    last = outMessage(error)
  }
  await send(last)
  await new Promise<void>((resolve) => out.end(resolve))
  process.exit(0)
}
