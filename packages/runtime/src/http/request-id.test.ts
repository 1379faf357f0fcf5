import { expect, it } from 'vitest'
import { generateApiKey } from './api-key.ts'
import { requestIdOf } from './request-id.ts'

const adminKey = 'Zt4-Hq9_pL2xWv5KdY8sNf3HbC6mGjA4eU'
const made = /^req_[0-9a-f-]{36}$/

it.each([
  'a',
  'trace-17.b_C',
  '7d0f6c0e-5a53-4c52-9d4c-0f2f1a3f6d11',
  '4bf92f3577b34da6a3ce929d0e0e4736',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV',
])('keeps %s', (sent) => {
  expect(requestIdOf(sent, [adminKey])).toBe(sent)
})

it.each([undefined, '', 'a b', 'x'.repeat(65), ['a', 'b'], 'é'])('makes one of its own for %j', (sent) => {
  expect(requestIdOf(sent, [])).toMatch(made)
})

it('keeps no key, with or without its prefix, nor its secret alone, nor the admin key, whatever stands around it', () => {
  for (let round = 0; round < 200; round += 1) {
    const { apiKey, keyId, secret } = generateApiKey()
    for (const sent of [
      apiKey,
      apiKey.slice('cairn_'.length),
      apiKey.slice(-38),
      `${keyId}_${secret}`,
      secret,
      `x-${secret}`,
      `a${secret}.b`,
    ])
      expect(requestIdOf(sent, [adminKey])).toMatch(made)
  }
  for (const sent of [adminKey, `x-${adminKey}`, `${adminKey}.1`]) expect(requestIdOf(sent, [adminKey])).toMatch(made)
})
