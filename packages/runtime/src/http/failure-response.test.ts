import { unauthenticated } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { AppError } from '@cairn/contracts/errors'
import { describe, expect, it } from 'vitest'
import { failureResponse } from './failure-response.ts'

const context = { requestId: 'req_1', operation: operations.uploadDocuments, now: Date.UTC(2026, 0, 1) }
const data = (error: unknown) => failureResponse(error, { ...context, shape: 'data' })
const files = (error: unknown) => failureResponse(error, { ...context, shape: 'files' })

describe('failureResponse', () => {
  it('puts a refusal into the data shape, with what the thrower added', () => {
    expect(data(new AppError('conflict', 'taken', { body: { namespace_name: 'a', details: { x: 1 } } }))).toEqual({
      status: 409,
      body: {
        status: 'failure',
        message: 'taken',
        error: 'Conflict',
        request_id: 'req_1',
        namespace_name: 'a',
        details: { x: 1 },
      },
      headers: {},
    })
  })

  it('lets the thrower name the kind but nothing else', () => {
    const body = { error: 'Namespace not found', status: 'success', request_id: 'x', message: 'y' }
    expect(data(new AppError('notFound', 'gone', { body })).body).toEqual({
      error: 'Namespace not found',
      status: 'failure',
      message: 'gone',
      request_id: 'req_1',
    })
  })

  it('has the file shape, with a message beside it for 401 and 403 only', () => {
    expect(files(new AppError('invalid', 'bad', { body: { details: {} } })).body).toEqual({
      error: 'bad',
      request_id: 'req_1',
    })
    expect(files(unauthenticated('missingKey')).body).toEqual({
      error: 'Unauthorized',
      message: 'Unauthorized: API key is missing',
      request_id: 'req_1',
    })
    expect(files(new AppError('forbidden', 'Forbidden')).body).toMatchObject({ error: 'Forbidden' })
  })

  it('has nothing in the edge shape but what belongs to it', () => {
    const edge = (error: unknown) => failureResponse(error, { ...context, shape: 'edge' }).body
    expect(edge(new AppError('invalid', 'bad', { body: { details: {} } }))).toEqual({
      status: 'failure',
      message: 'bad',
    })
    const full = { items: 2, max_items: 2, requested_new: 1 }
    expect(edge(new AppError('conflict', 'full', { body: full }))).toEqual({
      status: 'failure',
      message: 'full',
      ...full,
    })
    expect(Object.keys(edge(new Error('secret detail')) as object)).toEqual(['status', 'message'])
  })

  it('is XML in the shape of S3, and says what the request did wrong', () => {
    const s3 = (error: unknown) => failureResponse(error, { ...context, shape: 's3' })
    const answer = s3(new AppError('forbidden', 'The <limit> is reached.'))
    expect(answer).toMatchObject({ status: 403, headers: { 'content-type': 'application/xml' } })
    expect(answer.body).toContain(
      '<Error><Code>QuotaExceeded</Code><Message>The &lt;limit&gt; is reached.</Message></Error>',
    )
    expect(s3(new AppError('limited', 'x', { retryAfterSeconds: 1.5 }))).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
    })
    expect(s3(new Error('secret detail')).body).toContain('<Code>InternalError</Code><Message>We encountered')
    expect(JSON.stringify(s3(new AppError('internal', 'secret detail')))).not.toContain('secret')
  })

  it('says when to come back', () => {
    expect(data(new AppError('limited', 'x', { retryAfterSeconds: 2.2 })).headers).toEqual({ 'retry-after': '3' })
    expect(data(new AppError('unavailable', 'x')).headers).toEqual({ 'retry-after': '5' })
    expect(data(new AppError('limited', 'x')).headers).toEqual({ 'retry-after': '5' })
  })

  it.each([[new Error('secret detail')], [new AppError('internal', 'secret detail')], ['secret detail'], [undefined]])(
    'answers %s with one fixed sentence that names the operation',
    (error) => {
      const answer = data(error)
      expect(answer).toMatchObject({
        status: 500,
        body: {
          status: 'failure',
          error: 'Internal server error',
          request_id: 'req_1',
          timestamp: '2026-01-01T00:00:00.000Z',
        },
      })
      expect(answer.body).toHaveProperty('message', expect.stringContaining('"Upload documents" failed'))
      expect(JSON.stringify(answer)).not.toContain('secret')
    },
  )
})
