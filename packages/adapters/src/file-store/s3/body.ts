import { Readable } from 'node:stream'
import { AppError } from '@cairn/contracts/errors'
import { translateError } from './translate-error.ts'

/**
 * Translates errors, and fails as `unavailable` if a chunk takes longer than `stallTimeoutMs`. Destroying the body,
 * read or not, releases the connection.
 */
export const bodyOf = (response: Readable, stallTimeoutMs: number): Readable => {
  const chunks: AsyncIterator<Buffer> = response[Symbol.asyncIterator]()
  return new Readable({
    read() {
      const stalled = setTimeout(
        () =>
          this.destroy(
            new AppError('unavailable', `The file store sent nothing for ${stallTimeoutMs} ms`, {
              retryAfterSeconds: 5,
            }),
          ),
        stallTimeoutMs,
      )
      chunks
        .next()
        .then(
          ({ done, value }) => this.push(done ? null : value),
          (error: unknown) => this.destroy(translateError(error)),
        )
        .finally(() => clearTimeout(stalled))
    },
    destroy(error, done) {
      response.destroy()
      done(error)
    },
  })
}
