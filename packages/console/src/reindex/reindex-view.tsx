import type { Reindex } from '@cairn/client'
import { useState } from 'preact/hooks'
import { Confirm } from '../dialog.tsx'
import { duration, plural } from '../format.ts'
import { Badge, Button, Problem, Table, type Tone } from '../parts.tsx'
import { describePhase, describeProgress } from './phases.ts'

const badges: Readonly<Record<Reindex['phase'], readonly [Tone, string]>> = {
  filling: ['busy', 'embedding'],
  filled: ['good', 'ready to switch'],
  flipping: ['busy', 'switching'],
  kept: ['good', 'switched'],
  removing: ['busy', 'removing'],
}

const Comparison = ({ reindex }: { readonly reindex: Reindex }) => {
  const { comparison, queries, model, other_model: other } = reindex
  if (!comparison)
    return queries === null ? null : (
      <p class="muted">{plural(queries, 'search', 'searches')} kept for the comparison, of 50 at most.</p>
    )
  return (
    <>
      <Table columns={['', `Now: ${model}`, `Other: ${other}`]} numeric={[`Now: ${model}`, `Other: ${other}`]}>
        <tr>
          <th scope="row">Median time of a search by meaning</th>
          <td class="numeric">{duration(comparison.median_ms / 1_000)}</td>
          <td class="numeric">{duration(comparison.other_median_ms / 1_000)}</td>
        </tr>
        <tr>
          <th scope="row">Best ten hits that both find</th>
          <td class="numeric" colSpan={2}>
            {Math.round(comparison.overlap_at_10 * 100)} %
          </td>
        </tr>
      </Table>
      <p class="hint">
        Mean of {plural(comparison.queries, 'search', 'searches')} of this namespace. Few hits in common mean that the
        models differ, not which one is better; <code>cairn eval</code> measures that.
      </p>
    </>
  )
}

export type Step = 'flip' | 'rollBack' | 'end'
type Action = {
  readonly step: Step
  readonly label: string
  readonly look?: 'primary' | 'danger'
  readonly text: string
}

const actionsOf = ({ phase, model, other_model: other, flipped_at: flippedAt, progress }: Reindex): Action[] => {
  const rejected =
    progress.rejected > 0
      ? `${other} rejects ${plural(progress.rejected, 'item')}, which will then be found by words only.`
      : ''
  const cancel: Action = {
    step: 'end',
    label: 'Cancel',
    look: 'danger',
    text: `What was embedded with ${other} is removed. Searches go on with ${model}.`,
  }
  const flip: Action = {
    step: 'flip',
    label: `Switch to ${other}`,
    look: 'primary',
    text: `Searches use ${other} within a minute. ${rejected}`,
  }
  switch (phase) {
    case 'filled':
      return [cancel, flip]
    case 'filling':
      return [cancel]
    case 'flipping':
      return flippedAt === null ? [cancel] : []
    case 'kept':
      return [
        {
          step: 'end',
          label: `Remove ${other}`,
          look: 'danger',
          text: `${model} stays. It is then not possible to switch back without embedding all texts again.`,
        },
        { step: 'rollBack', label: `Switch back to ${other}`, text: `Searches use ${other} within a minute.` },
      ]
    case 'removing':
      return []
  }
}

type Props = { readonly reindex: Reindex; readonly onStep: (step: Step) => Promise<unknown> }

export const ReindexView = ({ reindex, onStep }: Props) => {
  const [asked, setAsked] = useState<Action | undefined>(undefined)
  const { phase, error, progress } = reindex
  const [tone, label] = badges[phase]
  const counted = describeProgress(reindex)
  return (
    <div class="card">
      <p>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p role="status">{describePhase(reindex)}</p>
      {tone === 'busy' ? (
        <progress
          aria-label="Progress of the change"
          {...(counted ? { value: progress.passed, max: Math.max(1, progress.total) } : {})}
        />
      ) : null}
      {counted ? <p class="muted">{counted}</p> : null}
      {error ? <Problem error={new Error(error)} /> : null}
      <Comparison reindex={reindex} />
      <footer class="dialog-foot">
        {actionsOf(reindex).map((action) => (
          <Button key={action.step} writes label={action.label} look={action.look} onClick={() => setAsked(action)} />
        ))}
      </footer>
      {asked ? (
        <Confirm
          title={`${asked.label}?`}
          action={asked.label === 'Cancel' ? 'Cancel the change' : asked.label}
          look={asked.look ?? 'primary'}
          run={() => onStep(asked.step).then(() => setAsked(undefined))}
          onClose={() => setAsked(undefined)}
        >
          <p>{asked.text}</p>
        </Confirm>
      ) : null}
    </div>
  )
}
