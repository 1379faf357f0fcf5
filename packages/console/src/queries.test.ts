import { CairnError } from '@cairn/client'
import { expect, it } from 'vitest'
import { isRetried } from './queries.ts'

const failed = (status: number) => new CairnError('internal', 'No.', { status })

it('repeats a read twice when the server is in trouble or out of reach', () => {
  for (const error of [failed(500), failed(503), new CairnError('network', 'No answer.'), new Error('lost')])
    expect([0, 1, 2].map((failures) => isRetried(failures, error))).toEqual([true, true, false])
})

it('does not repeat what the server refused', () => {
  for (const status of [400, 404, 429, 499]) expect(isRetried(0, failed(status))).toBe(false)
})
