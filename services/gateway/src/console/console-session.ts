import { operations } from '@cairn/contracts/api/operations'
import { AppError } from '@cairn/contracts/errors'
import { createConsoleSession } from '@cairn/contracts/http/console'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Endpoint, Guard } from '@cairn/runtime/http/api-request'
import { endpoint } from '@cairn/runtime/http/endpoint'
import { accountEndpoint, type Caller } from '../call.ts'
import { iso } from '../iso.ts'
import { createWindowCount } from '../window-count.ts'
import { type ConsoleCodes, codeLifetimeMs } from './console-codes.ts'

/** Per IP address; further wrong codes get 429. */
export const wrongCodesPerMinute = 10
/** Within their lifetime, in one process. */
export const codesPerAccount = 60

export type ConsoleDeps = { readonly codes: ConsoleCodes; readonly clock: Clock }

/**
 * A page of another origin that knows a code could otherwise sign in. Browsers send the header to localhost and over
 * HTTPS; programs send none.
 */
export const fromThisPage: Guard<unknown> = ({ header }) => {
  if ((header('sec-fetch-site') ?? 'same-origin') !== 'same-origin')
    throw new AppError('forbidden', 'Only the page of the console itself may exchange its code.')
}

/** Compares the code before the limit applies: wrong codes from anywhere must not block the right one. */
export const consoleSession = ({ codes, clock }: ConsoleDeps): Endpoint<unknown> => {
  const wrong = createWindowCount(clock, { windowMs: 60_000, max: wrongCodesPerMinute })
  return endpoint(createConsoleSession, async ({ body, raw }) => {
    const apiKey = await codes.exchange(body().code)
    if (apiKey !== undefined) return { status: 200, body: { api_key: apiKey } }
    const address = raw.socket.remoteAddress ?? ''
    if (wrong.isFull(address))
      throw new AppError('limited', 'Too many wrong codes were sent from your address; retry in a minute.', {
        retryAfterSeconds: 60,
      })
    wrong.add(address)
    throw new AppError(
      'unauthenticated',
      'The code is wrong, was used before or is older than 10 minutes; `cairn open` opens the console with another one, and the API key signs in as well.',
    )
  })
}

/** Creates a code that opens the console with the API key of the request. */
export const createConsoleCode = (console: ConsoleDeps | undefined): Endpoint<Caller> => {
  const issued = console && createWindowCount(console.clock, { windowMs: codeLifetimeMs, max: codesPerAccount })
  return accountEndpoint(operations.createConsoleCode, async ({ account, header }) => {
    if (!console || !issued)
      throw new AppError('notFound', 'This server has no console: it is started with CAIRN_CONSOLE=off.')
    if (issued.isFull(account.id))
      throw new AppError('limited', `At most ${codesPerAccount} codes are created in 10 minutes; retry later.`, {
        retryAfterSeconds: codeLifetimeMs / 1_000,
      })
    issued.add(account.id)
    const expiresAt = console.clock.now() + codeLifetimeMs
    const code = await console.codes.issue(header('x-api-key') ?? '')
    return { status: 201, body: { code, path: `/#code=${code}`, expires_at: iso(expiresAt) } }
  })
}
