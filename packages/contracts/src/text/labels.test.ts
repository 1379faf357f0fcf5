import { expect, it } from 'vitest'
import { labelOf, scoreLabels, scoreOf } from './labels.ts'

it.each([
  [1, 'Close Match'],
  [0.894, 'Close Match'],
  [0.893999, 'Very High Relevance'],
  [0.632, 'Very High Relevance'],
  [0.631999, 'High Relevance'],
  [0.447, 'High Relevance'],
  [0.446999, 'Good Relevance'],
  [0.316, 'Good Relevance'],
  [0.315999, 'Low Relevance'],
  [0.224, 'Low Relevance'],
  [0.223999, 'Very Low Relevance'],
  [0.1, 'Very Low Relevance'],
  [0.099999, 'Irrelevant'],
  [0, 'Irrelevant'],
])('labels %d as %s', (score, label) => {
  expect(labelOf(score)).toBe(label)
})

it('knows seven labels', () => {
  expect(scoreLabels).toHaveLength(7)
})

it.each([
  [0.1234564, 0.123456],
  [0.1234566, 0.123457],
  [-0.3, 0],
  [1.0000001, 1],
])('shows the cosine %d as %d', (cosine, score) => {
  expect(scoreOf(cosine)).toBe(score)
})
