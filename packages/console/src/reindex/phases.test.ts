import { expect, it } from 'vitest'
import { describePhase, describeProgress } from './phases.ts'

const at = { flipped_at: null, kept_until: null, estimated_completion: null }
const state = { model: 'old', other_model: 'new', ...at, progress: { total: 23, passed: 0, written: 0, rejected: 0 } }

it('names the model that is searched in each phase', () => {
  expect(describePhase({ ...state, phase: 'filling' })).toContain('embedded with new. Searches use old meanwhile')
  expect(describePhase({ ...state, phase: 'filled' })).toContain('Searches use old until you switch')
  expect(describePhase({ ...state, phase: 'flipping' })).toContain('Searches switch to new')
  expect(describePhase({ ...state, phase: 'flipping', flipped_at: '2026-03-01T12:00:00Z' })).toContain('switch back to')
  expect(describePhase({ ...state, phase: 'kept' })).toContain('Searches use old. new is kept')
  expect(describePhase({ ...state, phase: 'removing' })).toContain('being removed')
})

it('shows no count that says nothing', () => {
  expect(describeProgress({ ...state, phase: 'flipping' })).toBeUndefined()
  expect(describeProgress({ ...state, phase: 'filled' })).toBeUndefined()
  expect(describeProgress({ ...state, phase: 'filling' })).toBe('0 of 23 items')
  const progress = { ...state.progress, passed: 20 }
  expect(describeProgress({ ...state, phase: 'flipping', progress })).toBe('20 of 23 items')
})
