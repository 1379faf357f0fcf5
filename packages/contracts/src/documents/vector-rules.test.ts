import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UserObject } from './metadata.ts'
import { checkNumbers, checkVector, checkVectors } from './vector-rules.ts'

const outcome = (vector: UserObject) => {
  const check = checkVector({ id: 'a', ...vector }, 3)
  return check.ok ? check.vector : check.failure
}
const vector = [1, 0, -2.5]

describe('checkVector', () => {
  it('gives 32-bit floats, text and metadata', () => {
    expect(outcome({ id: 0, vector, text: 'shown', colour: 'red' })).toEqual({
      id: '0',
      vector: Float32Array.from(vector),
      text: 'shown',
      metadata: expect.objectContaining({ colour: 'red' }),
      metadataJson: '{"colour":"red"}',
    })
  })

  it.each([
    [{ vector: [1, 2] }, 'Dimension mismatch', 2],
    [{ vector: [1, 2, 3, 4] }, 'Dimension mismatch', 4],
    [{ vector: [] }, 'Dimension mismatch', 0],
    [{}, 'Invalid vector', 0],
    [{ vector: null }, 'Invalid vector', 0],
    [{ vector: { length: 3, 0: 1, 1: 1, 2: 1 } }, 'Invalid vector', 0],
    [{ vector: ['1', 2, 3] }, 'Invalid vector', 3],
    [{ vector: [null, 2, 3] }, 'Invalid vector', 3],
    [{ vector: [[1], 2, 3] }, 'Invalid vector', 3],
    [{ vector: [Number.NaN, 2, 3] }, 'Invalid vector', 3],
    [{ vector: [Number.POSITIVE_INFINITY, 2, 3] }, 'Invalid vector', 3],
    [{ vector: [1e39, 2, 3] }, 'Invalid vector', 3],
    [{ vector: [3.402823466385289e38, 2, 3] }, 'Invalid vector', 3],
    [{ vector: [-1e39, 2, 3] }, 'Invalid vector', 3],
    [{ vector: JSON.parse('[1e400,2,3]') }, 'Invalid vector', 3],
    [{ vector: [0, -0, 0] }, 'Zero vector', 3],
    [{ vector: [1e-60, 0, 0] }, 'Zero vector', 3],
    [{ vector, text: 5 }, 'Invalid text', 3],
    [{ vector, text: 'a\u0000' }, 'Invalid text', 3],
    [{ vector, text: '\ud800' }, 'Invalid text', 3],
    [{ vector, text: 'x'.repeat(50_001) }, 'Text content too long', 3],
    [{ vector, k: 'x'.repeat(40_960 - 7) }, 'Metadata too large', 3],
    [{ vector, k: JSON.parse('1e400') }, 'Invalid metadata', 3],
  ])('fails %j', (sent, error, provided) => {
    expect(outcome(sent)).toMatchObject({ id: 'a', error, expected_dimension: 3, provided_dimension: provided })
  })

  it.each([
    [{ vector: [3.4028234663852886e38, 0, 0] }],
    [{ vector: [1.401298464324817e-45, 0, 0] }],
    [{ vector, text: null }],
    [{ vector, text: '' }],
    [{ vector, text: 'x'.repeat(50_000) }],
    [{ vector, k: 'x'.repeat(40_960 - 8) }],
    [{ vector, metadata: { text: 'kept', id: 'kept', vector: [] } }],
  ])('takes %j', (sent) => {
    expect(outcome(sent)).toHaveProperty('metadataJson')
  })
})

describe('checkVectors', () => {
  it('says which places failed and lets only the first vector of an id count', () => {
    const { accepted, failed, failedAt } = checkVectors(
      [
        { id: 'a', vector: [1] },
        { id: 'b', vector },
        { id: 'b', vector },
        { id: 'c', vector },
      ],
      3,
    )
    expect(accepted.map(({ id }) => id)).toEqual(['b', 'c'])
    expect(failed.map(({ error }) => error)).toEqual(['Dimension mismatch', 'Duplicate vector id'])
    expect(failedAt).toEqual([0, 2])
  })
})

describe('checkNumbers', () => {
  it('never throws and gives only finite vectors that are not zero', () => {
    const anything = fc.oneof(fc.anything(), fc.array(fc.oneof(fc.double(), fc.anything()), { maxLength: 5 }))
    expect(() =>
      fc.assert(
        fc.property(anything, (numbers) => {
          const checked = checkNumbers(numbers)
          return !checked.ok || (checked.vector.every(Number.isFinite) && checked.vector.some((value) => value !== 0))
        }),
      ),
    ).not.toThrow()
  })
})
