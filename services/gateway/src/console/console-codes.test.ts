import { createConsoleSession } from '@cairn/contracts/http/console'
import { generateApiKey } from '@cairn/runtime/http/api-key'
import type { ApiRequest } from '@cairn/runtime/http/api-request'
import { requestIdOf } from '@cairn/runtime/http/request-id'
import { createLogger } from '@cairn/runtime/process/logger'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../call.ts'
import { type RouteTableDeps, routes } from '../routes.ts'
import { codeLifetimeMs, createConsoleCodes } from './console-codes.ts'
import {
  codesPerAccount,
  consoleSession,
  createConsoleCode,
  fromThisPage,
  wrongCodesPerMinute,
} from './console-session.ts'

const { apiKey } = generateApiKey()

const setUp = () => {
  const { clock, pass } = createManualClock(Date.UTC(2026, 0, 1))
  const store = stepwiseStore({ now: clock.monotonic })
  /** Creates a gateway; all gateways of a cluster share one store. */
  const gateway = () => {
    const deps = { codes: createConsoleCodes(store), clock }
    const session = consoleSession(deps)
    const exchange = async (code: unknown, address = '10.0.0.1') => {
      const answer = await session.handle({ sentBody: { code }, raw: { socket: { remoteAddress: address } } } as never)
      return (answer.body as { readonly api_key: string }).api_key
    }
    const create = createConsoleCode(deps)
    const issue = async (account = 'acc_1', key = apiKey) => {
      const header = (name: string) => (name === 'x-api-key' ? key : undefined)
      const answer = await create.handle({
        caller: { account: { id: account }, key: {} },
        header,
      } as unknown as ApiRequest<Caller>)
      return answer.body as { readonly code: string; readonly path: string; readonly expires_at: string }
    }
    return { ...deps, exchange, issue }
  }
  return { gateway, pass, store }
}
const refused = { code: 'unauthenticated' }
const limited = { code: 'limited', retryAfterSeconds: 60 }

describe('a code of the console', () => {
  it('can not be guessed: 195 random bits', async () => {
    const { codes } = setUp().gateway()
    const all = await Promise.all(Array.from({ length: 50 }, () => codes.issue(apiKey)))
    expect(new Set(all).size).toBe(50)
    for (const code of all) expect(code).toMatch(/^cairn_code_[0-9a-z]{39}$/)
  })

  it('is exchanged once for the key it was created with, at whichever gateway', async () => {
    const { gateway } = setUp()
    const [one, other] = [gateway(), gateway()]
    const { code, path, expires_at } = await one.issue()
    expect([path, expires_at]).toEqual([`/#code=${code}`, '2026-01-01T00:10:00.000Z'])
    const tried = await Promise.allSettled([other.exchange(code), one.exchange(code), other.exchange(code)])
    expect(tried.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))).toEqual([apiKey])
    await expect(one.exchange(code)).rejects.toMatchObject(refused)
  })

  it('works below ten minutes and no longer', async () => {
    const { gateway, pass } = setUp()
    const { issue, exchange } = gateway()
    const [early, late] = [await issue(), await issue()]
    pass(codeLifetimeMs - 1)
    expect(await exchange(early.code)).toBe(apiKey)
    pass(1)
    await expect(exchange(late.code)).rejects.toMatchObject(refused)
  })

  it('is stored as a hash only, and the key so that the store alone does not reveal it', async () => {
    const { gateway, store } = setUp()
    const written: unknown[] = []
    const { repeatableRequests } = store
    const codes = createConsoleCodes({
      repeatableRequests: {
        ...repeatableRequests,
        begin: (...args) => {
          written.push(args)
          return repeatableRequests.begin(...args)
        },
        finish: (...args) => {
          written.push(args)
          return repeatableRequests.finish(...args)
        },
      },
    })
    const code = await codes.issue(apiKey)
    expect(written).toHaveLength(2)
    for (const secret of [code, code.slice(11), apiKey]) expect(JSON.stringify(written)).not.toContain(secret)
    expect(await gateway().exchange(code)).toBe(apiKey)
  })

  it.each(['x', 'the-key', apiKey, `cairn_code_${'0'.repeat(39)}`])(
    'is not used up by %j, which is refused',
    async (wrong) => {
      const { issue, exchange } = setUp().gateway()
      const { code } = await issue()
      await expect(exchange(wrong)).rejects.toMatchObject(refused)
      await expect(exchange(`${code}x`)).rejects.toMatchObject(refused)
      expect(await exchange(code)).toBe(apiKey)
    },
  )

  it('is accepted however many wrong ones were sent, also from its own address', async () => {
    const { gateway, pass } = setUp()
    const { issue, exchange } = gateway()
    for (let count = 1; count <= wrongCodesPerMinute; count += 1)
      await expect(exchange('wrong')).rejects.toMatchObject(refused)
    await expect(exchange('wrong')).rejects.toMatchObject(limited)
    await expect(exchange('wrong', '10.0.0.2')).rejects.toMatchObject(refused)
    expect(await exchange((await issue()).code)).toBe(apiKey)
    pass(59_999)
    await expect(exchange('wrong')).rejects.toMatchObject(limited)
    pass(1)
    await expect(exchange('wrong')).rejects.toMatchObject(refused)
  })

  it('is created so often in ten minutes, and then no more for this account', async () => {
    const { gateway, pass } = setUp()
    const { issue } = gateway()
    for (let count = 1; count <= codesPerAccount; count += 1) await issue()
    await expect(issue()).rejects.toMatchObject({ code: 'limited' })
    await issue('acc_2')
    pass(codeLifetimeMs)
    await issue()
  })

  it('is sent in the body', async () => {
    const { exchange } = setUp().gateway()
    for (const code of [undefined, '', 7, 'x'.repeat(201)])
      await expect(exchange(code)).rejects.toMatchObject({ code: 'invalid' })
  })

  it('is recognized as a secret in a request id and in the log', async () => {
    const code = await setUp().gateway().codes.issue(apiKey)
    for (const sent of [code, code.slice(11), `x-${code}`, code.slice(6)])
      expect(requestIdOf(sent, [])).toMatch(/^req_/)
    const lines: string[] = []
    createLogger({ level: 'info', name: 'test', write: (line) => void lines.push(line) }).info(
      { at: code },
      `at ${code}`,
    )
    expect(lines.join()).not.toContain(code)
  })

  it('is taken from the page itself and from programs, and from no other page', () => {
    const check = (site?: string) => {
      try {
        return fromThisPage(guardedRequest(createConsoleSession, site === undefined ? {} : { 'sec-fetch-site': site }))
      } catch (error) {
        return error
      }
    }
    for (const site of [undefined, 'same-origin']) expect(check(site)).toBeUndefined()
    for (const site of ['cross-site', 'same-site', 'none', '']) expect(check(site)).toMatchObject({ code: 'forbidden' })
    const table = routes({ console: setUp().gateway() } as unknown as RouteTableDeps)
    expect(table.find(({ operation }) => operation === createConsoleSession)?.guards[0]).toBe(fromThisPage)
  })
})

it('is not created by a server without a console', async () => {
  const request = { caller: { account: { id: 'acc_1' }, key: {} } } as unknown as ApiRequest<Caller>
  await expect(createConsoleCode(undefined).handle(request)).rejects.toThrow(/has no console/)
})
