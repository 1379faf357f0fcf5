import { Socket } from 'node:net'
import { isAppError } from '@cairn/contracts/errors'
import type { ExtractOptions, Extractor, FileType } from './block.ts'
import type { ChildMessage } from './child-messages.ts'
import { isUnreadable } from './unreadable.ts'

/** What a child is asked for, as JSON in its first argument. */
export type ChildRequest = { readonly type: FileType; readonly path: string; readonly options: ExtractOptions }

const outMessage = (error: unknown): ChildMessage => {
  if (isUnreadable(error)) return { event: 'unreadable', code: error.code, message: error.message }
  const message = error instanceof Error ? error.message : String(error)
  if (/allocation failed|out of memory/i.test(message)) {
    return { event: 'unreadable', code: 'too_large_to_process', message: 'Reading the file takes more memory than there may be.' }
  }
  return { event: 'failed', message, invalid: isAppError(error, 'invalid') }
}

/** Made by `no-network.cjs`, which takes away what ends other processes. */
const endNow = (): void => (process as unknown as { endNow(): void }).endNow()

/**
 * The child's side of `runExtractor`: reads the file that the first argument names and writes what comes to descriptor 3, as fast as that is
 * read. Ends the process.
 */
export const serveExtractor = async (extractorOf: (type: FileType) => Extractor): Promise<never> => {
  const out = new Socket({ fd: 3, readable: false, writable: true })
  // Whoever asked is gone: there is nobody to read for. Not `process.exit`, which waits for threads that may be waiting for this one: one that
  // compiles, and needs memory that only a collection of this thread's can give it.
  out.on('error', endNow)
  process.stdin.on('end', endNow).resume()
  // Parsers forget promises of what they could do without. Where one did matter nothing more comes, and that is seen from outside.
  process.on('unhandledRejection', (reason) => process.stderr.write(`left unhandled: ${String(reason)}\n`))

  const send = (message: ChildMessage): Promise<void> | undefined => {
    if (out.write(`${JSON.stringify(message)}\n`)) return undefined
    return new Promise((resolve) => out.once('drain', resolve))
  }

  let last: ChildMessage = { event: 'end' }
  try {
    const { type, path, options } = JSON.parse(process.argv[2] ?? '') as ChildRequest
    for await (const event of extractorOf(type)(path, options)) await send(event)
  } catch (error) {
    if (!isUnreadable(error)) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    last = outMessage(error)
  }
  await send(last)
  await new Promise<void>((resolve) => out.end(resolve))
  process.exit(0)
}
