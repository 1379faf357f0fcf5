import { createConsoleSession } from '@cairn/contracts/http/console'
import type { ApiRequest } from '@cairn/runtime/api-request'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { createManualClock } from '@cairn/testing/manual-clock'
import { describe, expect, it } from 'vitest'
import { type RouteTableDeps, routes } from '../routes.ts'
import {
  codeLifetimeMs,
  consoleSession,
  createConsoleCode,
  fromThisPage,
  wrongCodesPerMinute,
} from './console-session.ts'

const setUp = () => {
  const { clock, pass } = createManualClock(0)
  const code = createConsoleCode({ apiKey: 'the-key', clock })
  return { ...code, pass }
}
const refused = expect.objectContaining({ code: 'unauthenticated' })
const limited = expect.objectContaining({ code: 'limited', retryAfterSeconds: 60 })
const attempt = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('the code of the console', () => {
  it('cannot be guessed: 192 random bits', () => {
    const codes = Array.from({ length: 50 }, () => setUp().code)
    expect(new Set(codes).size).toBe(50)
    for (const code of codes) expect(code).toMatch(/^[\w-]{32}$/)
  })

  it('is exchanged for the key once', () => {
    const { code, exchange } = setUp()
    expect(exchange(code)).toBe('the-key')
    expect(attempt(() => exchange(code))).toEqual(refused)
  })

  it('works below ten minutes and no longer', () => {
    const early = setUp()
    early.pass(codeLifetimeMs - 1)
    expect(early.exchange(early.code)).toBe('the-key')
    const late = setUp()
    late.pass(codeLifetimeMs)
    expect(attempt(() => late.exchange(late.code))).toEqual(refused)
  })

  it.each(['', 'x', 'the-key'])('refuses %j, which uses up nothing', (wrong) => {
    const { code, exchange } = setUp()
    expect(attempt(() => exchange(wrong))).toEqual(refused)
    expect(attempt(() => exchange(`${code}x`))).toEqual(refused)
    expect(exchange(code)).toBe('the-key')
  })

  it('compares so many wrong codes within a minute, and then none', () => {
    const below = setUp()
    for (let count = 1; count < wrongCodesPerMinute; count += 1) attempt(() => below.exchange('wrong'))
    expect(below.exchange(below.code)).toBe('the-key')

    const at = setUp()
    for (let count = 1; count <= wrongCodesPerMinute; count += 1)
      expect(attempt(() => at.exchange('wrong'))).toEqual(refused)
    expect(attempt(() => at.exchange('wrong'))).toEqual(limited)
    expect(attempt(() => at.exchange(at.code))).toEqual(limited)
    at.pass(59_999)
    expect(attempt(() => at.exchange(at.code))).toEqual(limited)
    at.pass(1)
    expect(at.exchange(at.code)).toBe('the-key')
  })

  it('is sent in the body', async () => {
    const code = setUp()
    const send = async (body: unknown) => consoleSession(code)({ body } as ApiRequest<unknown>)
    for (const body of [{}, { code: '' }, { code: 7 }, { code: 'x'.repeat(201) }])
      await expect(send(body)).rejects.toMatchObject({ code: 'invalid' })
    expect(await send({ code: code.code })).toEqual({ status: 200, body: { api_key: 'the-key' } })
  })

  it('is taken from the page itself and from programs, and from no other page', () => {
    const check = (site?: string) =>
      attempt(() =>
        fromThisPage(guardedRequest(createConsoleSession, site === undefined ? {} : { 'sec-fetch-site': site })),
      )
    for (const site of [undefined, 'same-origin']) expect(check(site)).toBeUndefined()
    for (const site of ['cross-site', 'same-site', 'none', '']) expect(check(site)).toMatchObject({ code: 'forbidden' })
    const table = routes({ console: { code: setUp() } } as unknown as RouteTableDeps)
    expect(table.find(({ operation }) => operation === createConsoleSession)?.guards[0]).toBe(fromThisPage)
  })
})
