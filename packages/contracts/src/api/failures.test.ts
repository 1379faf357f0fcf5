import { describe, expect, it } from 'vitest'
import { errorStatus } from '../errors.ts'
import {
  errorTitles,
  itemLimitReached,
  namespaceExists,
  namespaceLimitReached,
  namespaceNotFound,
  nothingAtPath,
  noValidVector,
  requestLimitReached,
  subscriptionExpired,
  unauthenticated,
} from './failures.ts'

describe('failures', () => {
  it('have a title for every code', () => {
    expect(Object.keys(errorTitles)).toEqual(Object.keys(errorStatus))
  })

  it('fix the texts of a missing and of a foreign key', () => {
    expect(unauthenticated('missingKey').message).toBe('Unauthorized: API key is missing')
    expect(unauthenticated('unknownKeyId').message).toBe('Unauthorized: Invalid API key id')
  })

  it('repeat a namespace name only when it could be one', () => {
    expect(namespaceNotFound('docs', 'text')).toMatchObject({
      code: 'notFound',
      message: 'Text namespace "docs" not found or not owned by this account',
      body: { error: 'Namespace not found', namespace_name: 'docs', suggestion: expect.any(String) },
    })
    expect(JSON.stringify(nothingAtPath('namespace_name', '<secret>').body)).not.toContain('secret')
    expect(nothingAtPath('account_id', '..').message).toBe('Account not found')
  })

  it('say the words that clients look for', () => {
    expect(namespaceExists('docs').message).toMatch(/namespace.*already exists/i)
    const limit = namespaceLimitReached({ tier: 'community', currentCount: 10, tierLimit: 10 })
    expect(limit.message).toMatch(/namespace limit.*tier/i)
    expect(limit.body).toEqual({ details: { current_count: 10, tier_limit: 10, tier: 'community' } })
  })

  it('count what was attempted by its kind', () => {
    const failure = itemLimitReached({
      tier: 'professional',
      currentCount: 9_985,
      tierLimit: 10_000,
      kind: 'documents',
      attempted: 25,
    })
    expect(failure.body).toEqual({
      details: { current_count: 9_985, tier_limit: 10_000, tier: 'professional', documents_attempted: 25 },
    })
  })

  it('name plan, limit and usage when requests run out', () => {
    const failure = requestLimitReached({ tier: 'professional', currentUsage: 1_000_000, limit: 1_000_000 })
    expect(failure.message).toContain('Professional plan (1,000,000 requests)')
    expect(failure.body).toMatchObject({ current_usage: 1_000_000, limit: 1_000_000 })
  })

  it('tell the day a subscription ended, without usage', () => {
    const failure = subscriptionExpired('community', Date.UTC(2026, 2, 5, 23, 59))
    expect(failure).toMatchObject({
      code: 'limited',
      message: expect.stringContaining('Community subscription expired on 3/5/2026'),
    })
    expect(failure.body).not.toHaveProperty('limit')
  })

  it('name every vector when none is valid', () => {
    const failure = noValidVector({
      message: 'x',
      namespaceDimension: 3,
      providedDimensions: [2, 2, 4],
      failedAt: [0, 1, 2],
    })
    expect(failure.body).toEqual({
      details: {
        namespace_dimension: 3,
        provided_dimensions: [2, 4],
        invalid_vectors: ['vectors[0]', 'vectors[1]', 'vectors[2]'],
      },
    })
  })
})
