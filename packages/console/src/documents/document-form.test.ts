import { expect, it } from 'vitest'
import { documentOf, uploadBadge } from './document-form.ts'

it('sends the metadata that has a name and a value, which replaces neither id nor text', () => {
  const pairs = [
    { name: 'source', value: 'field notes' },
    { name: ' ', value: 'x' },
    { name: 'year', value: ' ' },
    { name: 'id', value: 'other' },
  ]
  expect(documentOf('1', 'Cairns mark a path.', pairs)).toEqual({
    source: 'field notes',
    id: '1',
    text: 'Cairns mark a path.',
  })
})

it('follows an upload to its end', () => {
  const finished_at = '2026-03-01T12:00:00Z'
  const documents = (outcome: 'indexed' | 'failed') => [{ id: '1', outcome }] as never
  expect(uploadBadge(undefined).label).toBe('accepted')
  expect(uploadBadge({ state: 'running', finished_at: null, documents: [] as never })).toEqual({
    tone: 'busy',
    label: 'running',
  })
  expect(uploadBadge({ state: 'completed', finished_at, documents: documents('indexed') }).label).toBe('searchable')
  expect(uploadBadge({ state: 'failed', finished_at, documents: documents('failed') }).label).toBe('failed')
})
