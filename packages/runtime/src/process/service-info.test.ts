import { expect, it } from 'vitest'
import type { ApiRequest } from '../http/api-request.ts'
import { metricsText } from './service-info.ts'

it('makes the text of the metrics once for all who ask within a second', async () => {
  let scrapes = 0
  const scrape = async () => {
    scrapes += 1
    return { contentType: 'text/plain', body: `made ${scrapes}` }
  }
  const { handle } = metricsText<object>({ scrape })
  const answers = await Promise.all(Array.from({ length: 100 }, () => handle({} as ApiRequest<object>)))
  expect(scrapes).toBe(1)
  // All responses share one buffer, so responses that clients have not read yet hold no copies.
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  expect(String(answers[0]?.body)).toBe('made 1')
})
