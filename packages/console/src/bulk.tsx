import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Confirm } from './dialog.tsx'
import { plural } from './format.ts'
import { toggle } from './list-changes.ts'
import { Button, Problem } from './parts.tsx'
import { useCanWrite } from './session.ts'

export const useSelection = () => {
  const [chosen, setChosen] = useState<readonly string[]>([])
  return { chosen, choose: setChosen, toggle: (id: string, isOn: boolean) => setChosen(toggle(chosen, id, isOn)) }
}
export type Selection = ReturnType<typeof useSelection>

export const SelectBox = ({ id, selection }: { readonly id: string; readonly selection: Selection }) => (
  <input
    type="checkbox"
    hidden={!useCanWrite()}
    aria-label={`Select ${id}`}
    checked={selection.chosen.includes(id)}
    onChange={(event) => selection.toggle(id, event.currentTarget.checked)}
  />
)

type Props = {
  readonly noun: string
  readonly selection: Selection
  /** Ids. */
  readonly shown: readonly string[]
  readonly warning: string
  readonly onDelete: (ids: readonly string[]) => Promise<unknown>
  /** Resolves to what came of it. */
  readonly onRetry: (ids: readonly string[]) => Promise<string>
}

export const BulkBar = ({ noun, selection, shown, warning, onDelete, onRetry }: Props) => {
  const { chosen, choose } = selection
  const [isDeleting, setDeleting] = useState(false)
  const retry = useMutation({ mutationFn: onRetry })
  if (chosen.length === 0) return null
  const remove = async () => {
    await onDelete(chosen)
    setDeleting(false)
    choose([])
  }
  const title = `Delete ${plural(chosen.length, noun)}?`
  return (
    <section class="bulk" aria-label={`Selected ${noun}s`}>
      <div class="toolbar">
        <strong aria-live="polite">{plural(chosen.length, noun)} selected</strong>
        {shown.every((id) => chosen.includes(id)) ? null : (
          <Button label={`Select all ${shown.length} shown`} small onClick={() => choose([...shown])} />
        )}
        <Button label="Clear" small onClick={() => choose([])} />
        <Button label="Retry failed" small disabled={retry.isPending} onClick={() => retry.mutate(chosen)} />
        <Button label={`Delete ${chosen.length}`} small look="danger" onClick={() => setDeleting(true)} />
      </div>
      {retry.data ? <p role="status">{retry.data}</p> : null}
      {retry.error ? <Problem error={retry.error} /> : null}
      {isDeleting ? (
        <Confirm
          title={title}
          action={`Delete ${plural(chosen.length, noun)}`}
          run={remove}
          onClose={() => setDeleting(false)}
        >
          <ul class="mono breakable">
            {chosen.slice(0, 5).map((id) => (
              <li key={id}>{id}</li>
            ))}
          </ul>
          {chosen.length > 5 ? <p>and {chosen.length - 5} more</p> : null}
          <p>{warning}</p>
        </Confirm>
      ) : null}
    </section>
  )
}
