import { expect, it } from 'vitest'
import { corsHeaders } from './cors.ts'

const ask = { origin: 'https://app.example', preflight: false, methods: [] }
const preflight = { ...ask, preflight: true, methods: ['GET', 'POST'] }

it('lets every page call when the origins are *', () => {
  expect(corsHeaders(['*'])(ask)).toMatchObject({ 'access-control-allow-origin': '*' })
})

it('lets only pages of the named origins call and tells caches so', () => {
  const cors = corsHeaders(['https://app.example'])
  expect(cors(ask)).toMatchObject({ 'access-control-allow-origin': 'https://app.example', vary: 'Origin' })
  expect(cors({ ...ask, origin: 'https://evil.example' })).toEqual({ vary: 'Origin' })
  expect(cors({ ...ask, origin: 'https://app.example.evil' })).toEqual({ vary: 'Origin' })
})

it('answers a preflight with the methods of the path and the header of the key, never of the admin key', () => {
  const headers = corsHeaders(['*'])(preflight)
  expect(headers).toMatchObject({ 'access-control-allow-methods': 'GET, POST', 'access-control-max-age': '600' })
  expect(headers['access-control-allow-headers']).toContain('x-api-key')
  expect(headers['access-control-allow-headers']).not.toContain('admin')
  // Headers of downloads.
  expect(headers['access-control-allow-headers']).toMatch(/, range, if-range, if-match, if-none-match$/)
})

it('says nothing without an origin or when no origin is configured', () => {
  expect(corsHeaders(['*'])({ ...ask, origin: undefined })).toEqual({})
  expect(corsHeaders([])(ask)).toEqual({ vary: 'Origin' })
})
