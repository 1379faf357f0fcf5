import type { Reindex } from '@cairn/client'
import { dateTime, expectedIn, number } from '../format.ts'

type State = Pick<
  Reindex,
  'phase' | 'model' | 'other_model' | 'flipped_at' | 'kept_until' | 'estimated_completion' | 'progress'
>

export const describePhase = (reindex: State): string => {
  const { phase, model, other_model: other, flipped_at: flippedAt, kept_until: keptUntil } = reindex
  switch (phase) {
    case 'filling':
      return `All texts are being embedded with ${other}. Searches use ${model} meanwhile.`
    case 'filled':
      return `All texts are embedded with ${other} as well. Searches use ${model} until you switch.`
    case 'flipping':
      return `Searches switch ${flippedAt === null ? '' : 'back '}to ${other}. This takes at least 30 seconds; searches go on.`
    case 'kept':
      return `Searches use ${model}. ${other} is kept up to date${keptUntil ? ` until ${dateTime(keptUntil)}` : ''}, so that you can switch back.`
    case 'removing':
      return `Searches use ${model}. What was stored for ${other} is being removed, which takes at least 30 seconds.`
  }
}

/** Returns undefined where a count would say nothing. */
export const describeProgress = ({ phase, progress, estimated_completion: at }: State): string | undefined => {
  // The switch first waits for all processes, with a count of 0.
  if (phase !== 'filling' && (phase !== 'flipping' || progress.passed === 0)) return undefined
  const counted = `${number(progress.passed)} of ${number(progress.total)} items`
  return at ? `${counted}, expected to be done ${expectedIn(at)}` : counted
}
