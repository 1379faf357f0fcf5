import type { Account } from '@cairn/domain/accounts/record'
import type { Store } from '@cairn/domain/store'
import type { ApiRequest } from '@cairn/runtime/http/api-request'
import { expect, it } from 'vitest'
import type { Caller } from '../call.ts'
import { callerOf } from '../gate.fixture.ts'
import { createResponseBudget } from '../response-budget.ts'
import { type AnswerDeps, answer } from './answer.ts'

const signal = new AbortController().signal

it('holds budget for the whole texts of its hits until it has chosen the passages', async () => {
  const responseBudget = createResponseBudget()
  const held: number[] = []
  const namespaces = { byName: async () => ({ id: 'n', name: 'notes', type: 'text', state: 'active' }) }
  const deps = {
    answerer: { modelFor: () => ({ id: 'small', credits: 1 }) },
    embedders: { of: () => undefined },
    responseBudget,
    searchNamespaces: async () => {
      held.push(responseBudget.heldBytes('a'))
      return { results: [] }
    },
  } as unknown as AnswerDeps
  const ends: (() => void)[] = []
  const request = {
    caller: callerOf({ id: 'a' } as Account, 'k', { namespaces } as unknown as Store),
    sentBody: { query: 'what?', namespace: 'notes', top_k: 100 },
    signal,
    onEnd: (end: () => void) => void ends.push(end),
    setHeader: () => undefined,
  } as unknown as ApiRequest<Caller>
  expect(await answer(deps).handle(request)).toMatchObject({ status: 200, body: { answered: false } })
  expect(held[0]).toBeGreaterThan(20_000_000)
  expect(responseBudget.heldBytes('a')).toBe(0)
  for (const end of ends) end()
  expect(responseBudget.heldBytes('a')).toBe(0)
})
