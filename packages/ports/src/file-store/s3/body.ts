import { Readable } from 'node:stream'
import { AppError } from '@cairn/contracts/errors'
import { translated } from './translated.ts'

/**
 * The body of a response as the port gives it out: errors in our words, and `unavailable` when whoever reads has waited
 * `stallTimeoutMs` for a chunk. Destroyed, read or not, it gives its connection up.
 */
export const bodyOf = (response: Readable, stallTimeoutMs: number): Readable => {
  const chunks: AsyncIterator<Buffer> = response[Symbol.asyncIterator]()
  return new Readable({
    read() {
      const stalled = setTimeout(
        () => this.destroy(new AppError('unavailable', `The file store sent nothing for ${stallTimeoutMs} ms`, { retryAfterSeconds: 5 })),
        stallTimeoutMs,
      )
      chunks
        .next()
        .then(
          ({ done, value }) => this.push(done ? null : value),
          (error: unknown) => this.destroy(translated(error)),
        )
        .finally(() => clearTimeout(stalled))
    },
    destroy(error, done) {
      response.destroy()
      done(error)
    },
  })
}
