import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildChunk, chunkId, type EdgeChunk, parseChunk } from './edge-chunk.ts'

const chunk: EdgeChunk = {
  docId: 'tea-1',
  category: 'drinks',
  title: 'Green tea',
  tags: ['tea', 'hot drinks'],
  chunk: 2,
  body: 'Brew at 80 °C.\n',
}

describe('a chunk for the edge store', () => {
  it('is a header block, a blank line and the body', () => {
    expect(buildChunk(chunk)).toBe(
      '[meta]\ndoc_id: tea-1\ncategory: drinks\ntitle: Green tea\ntags: tea,hot drinks\nchunk: 2\n[/meta]\n\nBrew at 80 °C.\n',
    )
    expect(chunkId(chunk)).toBe('tea-1#chunk-2')
  })

  it('is read as it was built', () => {
    const line = fc.string().map((text) => text.replace(/[\r\n,]/g, '').trim())
    const some = line.filter((text) => text !== '')
    fc.assert(
      fc.property(
        fc.record({ docId: some, category: line, title: line, tags: fc.array(some), chunk: fc.nat(), body: fc.string({ unit: 'binary' }) }),
        (one) => {
          expect(parseChunk(buildChunk(one))).toEqual(one)
        },
      ),
    )
  })

  it('is read with blanks around its lines, without tags, and with other lines', () => {
    const text = '  [meta] \r\n doc_id:  a \r\ncategory:\r\nnote: x\r\ntitle: T: 1\r\nchunk: 0\r\n[/meta]\r\n\r\nbody'
    expect(parseChunk(text)).toEqual({ docId: 'a', category: '', title: 'T: 1', tags: [], chunk: 0, body: 'body' })
  })

  it.each([
    ['no block', 'just a text'],
    ['an open block', '[meta]\ndoc_id: a\ncategory: b\ntitle: c\nchunk: 0\n'],
    ['no document', '[meta]\ncategory: b\ntitle: c\nchunk: 0\n[/meta]\n\nx'],
    ['a chunk that is no number', '[meta]\ndoc_id: a\ncategory: b\ntitle: c\nchunk: first\n[/meta]\n\nx'],
    ['text before its block', 'x\n[meta]\ndoc_id: a\ncategory: b\ntitle: c\nchunk: 0\n[/meta]\n\nx'],
  ])('is none with %s', (_, text) => {
    expect(parseChunk(text)).toBeUndefined()
  })

  it.each([
    [{ title: 'two\nlines' }, /one line/],
    [{ docId: ' ' }, /docId/],
    [{ tags: ['a,b'] }, /comma/],
    [{ chunk: -1 }, /whole number/],
  ])('is not built from %j', (part, message) => {
    expect(() => buildChunk({ ...chunk, ...part })).toThrow(message)
  })
})
