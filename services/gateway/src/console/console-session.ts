import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '@cairn/contracts/errors'
import { consoleSessionBody } from '@cairn/contracts/http/console'
import type { Endpoint, Guard } from '@cairn/runtime/api-request'
import { parse } from '@cairn/runtime/parse'

export const codeLifetimeMs = 10 * 60_000
/** Wrong codes that are compared within a minute. */
export const wrongCodesPerMinute = 10
const minuteMs = 60_000

export type ConsoleCode = {
  /** In the fragment of the address that the start prints. */
  readonly code: string
  /** Returns the API key for the code, once and within ten minutes of its creation; throws an AppError. */
  exchange(sent: string): string
}

const digest = (text: string) => hash('sha256', text, 'buffer')

/** Creates a code that can be exchanged for the API key. It exists in this process only, as a hash once it is printed. */
export const createConsoleCode = (options: {
  readonly apiKey: string
  readonly clock: { monotonic(): number }
}): ConsoleCode => {
  const { apiKey, clock } = options
  const code = randomBytes(24).toString('base64url')
  const expected = digest(code)
  const expiresAt = clock.monotonic() + codeLifetimeMs
  let isUsed = false
  let wrong: number[] = []
  return {
    code,
    exchange: (sent) => {
      const now = clock.monotonic()
      wrong = wrong.filter((at) => now - at < minuteMs)
      if (wrong.length >= wrongCodesPerMinute)
        throw new AppError('limited', 'Too many wrong codes were sent; retry in a minute.', { retryAfterSeconds: 60 })
      const matches = timingSafeEqual(digest(sent), expected)
      if (!matches || isUsed || now >= expiresAt) {
        if (!matches) wrong.push(now)
        throw new AppError(
          'unauthenticated',
          'The code is wrong, was used before or is older than 10 minutes; use the API key, or restart Cairn for another code.',
        )
      }
      isUsed = true
      return apiKey
    },
  }
}

/**
 * Rejects other pages, of which one could use up the codes that are compared and so keep the console from signing in.
 * Browsers send the header to this machine and over HTTPS; programs send none.
 */
export const fromThisPage: Guard<unknown> = ({ header }) => {
  if ((header('sec-fetch-site') ?? 'same-origin') !== 'same-origin')
    throw new AppError('forbidden', 'Only the page of the console itself may exchange its code.')
}

/** `POST /console/session`. */
export const consoleSession =
  (code: ConsoleCode): Endpoint<unknown> =>
  (request) => ({ status: 200, body: { api_key: code.exchange(parse(consoleSessionBody, request.body).code) } })
