import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildEdgeChunk, type EdgeChunk, edgeItemId, isEdgeDocId, parseEdgeChunk } from './edge-chunk.ts'

const chunk: EdgeChunk = {
  docId: 'bread-1',
  category: 'kitchen',
  title: 'How bread is baked',
  tags: ['flour', 'oven'],
  index: 2,
  body: 'Flour and water.\n\nThen the oven.',
}
const text = `[meta]
doc_id: bread-1
category: kitchen
title: How bread is baked
tags: flour,oven
chunk: 2
[/meta]

Flour and water.

Then the oven.`

const parsed = (given: string): EdgeChunk => {
  const result = parseEdgeChunk(given)
  if (!result.ok) throw new Error(result.why)
  return result.chunk
}
const fault = (given: string): string | undefined => {
  const result = parseEdgeChunk(given)
  return result.ok ? undefined : result.why
}

describe('the text of a chunk in an edge store', () => {
  it('is a block of fields, a blank line and the body', () => {
    expect(buildEdgeChunk(chunk)).toBe(text)
    expect(parsed(text)).toEqual(chunk)
    expect(edgeItemId(chunk)).toBe('bread-1#chunk-2')
  })

  it('may have no tags', () => {
    expect(buildEdgeChunk({ ...chunk, tags: [] })).toContain('\ntags: \nchunk: 2\n')
    expect(parsed(buildEdgeChunk({ ...chunk, tags: [] })).tags).toEqual([])
    expect(parsed(text.replace('tags: flour,oven\n', ''))).toEqual({ ...chunk, tags: [] })
  })

  it('keeps each field on its line, whatever is in it', () => {
    const hostile = 'a\n[/meta]\nchunk: 7\r\u2028\u0000b'
    const built = buildEdgeChunk({ ...chunk, category: hostile, title: hostile, tags: ['x,y', ' ', hostile] })
    expect(parsed(built)).toEqual({
      ...chunk,
      category: 'a [/meta] chunk: 7 b',
      title: 'a [/meta] chunk: 7 b',
      tags: ['x y', 'a [/meta] chunk: 7 b'],
    })
  })

  it('keeps a body that looks like a block, or begins with blank lines', () => {
    for (const body of [text, '[/meta]\n\nx', '\n\nx', ' x', '', 'doc_id: other'])
      expect(parsed(buildEdgeChunk({ ...chunk, body })).body).toBe(body)
  })

  it('is read with blanks around its lines and other line ends', () => {
    expect(parsed(text.replaceAll('\n', '\r\n')).docId).toBe('bread-1')
    expect(parsed(text.replaceAll(/^(?=\w|\[)/gm, '  '))).toMatchObject({
      docId: 'bread-1',
      index: 2,
      tags: ['flour', 'oven'],
    })
    expect(parsed(`\n${text}`)).toEqual(chunk)
    expect(parsed(text.replace('tags: flour,oven', 'tags: flour , , oven ')).tags).toEqual(['flour', 'oven'])
    expect(parsed(text.replace('[/meta]\n\n', '[/meta]\n')).body).toBe(chunk.body)
  })

  it.each([
    ['', /does not begin/],
    ['Only text.', /does not begin/],
    ['Before it.\n[meta]\ndoc_id: a\n[/meta]\n\nx', /does not begin/],
    ['[meta]\ndoc_id: a\ncategory: b\ntitle: c\nchunk: 0\n\nno end', /without an end/],
    [text.replace('doc_id: bread-1\n', ''), /no doc_id/],
    [text.replace('doc_id: bread-1', 'doc_id: '), /unusable doc_id/],
    [text.replace('category: kitchen\n', '').replace('title', 'titel'), /no category, title/],
    [text.replace('chunk: 2\n', ''), /no chunk/],
    [text.replace('chunk: 2', 'chunk: two'), /not a whole number/],
    [text.replace('chunk: 2', 'chunk: -1'), /not a whole number/],
    [text.replace('chunk: 2', 'chunk: 1.5'), /not a whole number/],
  ])('is refused: %j', (given, why) => {
    expect(fault(given)).toMatch(why)
  })

  it('comes back as it was, for any fields of one line and any body', () => {
    const line = fc.string({ unit: 'binary' }).map((value) => value.replace(/[\p{Cc}\u2028\u2029]+/gu, '').trim())
    const id = line.filter(isEdgeDocId)
    const tags = fc.array(
      line.filter((tag) => tag !== '' && !tag.includes(',')),
      { maxLength: 3 },
    )
    const any = fc.record({
      docId: id,
      category: line,
      title: line,
      tags,
      index: fc.nat(999_999_999),
      body: fc.string({ unit: 'binary' }),
    })
    fc.assert(
      fc.property(any, (one) => {
        expect(parsed(buildEdgeChunk(one))).toEqual(one)
      }),
    )
  })

  it('has ids that differ where documents or indexes do', () => {
    const ids = [
      edgeItemId({ docId: 'a', index: 11 }),
      edgeItemId({ docId: 'a#chunk-1', index: 1 }),
      edgeItemId({ docId: 'a#chunk-11', index: 1 }),
    ]
    expect(new Set(ids).size).toBe(3)
  })

  it('knows the ids a block cannot bring back', () => {
    for (const id of ['', ' a', 'a ', 'a\nb', '\u00a0a', 'a\u2028b', 'é'.repeat(251)])
      expect(isEdgeDocId(id), JSON.stringify(id)).toBe(false)
    for (const id of ['a', 'a b', 'é', '🦊', '[meta]', 'x#chunk-1', 'é'.repeat(250)]) expect(isEdgeDocId(id)).toBe(true)
  })

  it('is refused in time however long it is', () => {
    const from = performance.now()
    for (const hostile of [
      '[meta]\n'.repeat(100_000),
      `[meta]\n${' '.repeat(500_000)}`,
      `[meta]${'\n '.repeat(250_000)}`,
      '\n'.repeat(500_000),
    ])
      expect(fault(hostile)).toMatch(/does not begin|without an end/)
    expect(performance.now() - from).toBeLessThan(2_000)
  })
})
