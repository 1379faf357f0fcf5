import type { Model, Namespace, ReindexEstimate, StartReindex } from '@cairn/client'
import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Choice, Field, Select } from '../form.tsx'
import { duration, plural } from '../format.ts'
import { ModelSelect } from '../models.tsx'
import { Button, Problem } from '../parts.tsx'
import { useApi } from '../session.ts'

type Flip = NonNullable<StartReindex['flip']>

const flips: Readonly<Record<Flip, readonly [string, string]>> = {
  manual: ['Manually', 'Compare both models first, then switch on this page'],
  automatic: ['Automatically', 'As soon as all texts are embedded'],
}
const keepDays = { '0': 'not at all', '1': '1 day', '7': '7 days', '30': '30 days' } as const

const EstimateLine = ({ estimate }: { readonly estimate: ReindexEstimate }) => {
  const { items, chunks, passages, seconds, sampled } = estimate
  if (sampled === 0) return <p role="status">There are no texts to embed yet.</p>
  const time = seconds < 1 ? 'less than a second' : `about ${duration(seconds)}`
  return (
    <p role="status">
      {plural(items, 'document')} and {plural(chunks, 'chunk')} have {plural(passages, 'passage')} to embed. At the
      current speed this takes {time}, and the switch at least 30 seconds more.
    </p>
  )
}

type Props = {
  readonly namespace: Namespace
  readonly models: readonly Model[]
  readonly start: (how: StartReindex) => void
  readonly isStarting: boolean
}

export const StartForm = ({ namespace, models, start, isStarting }: Props) => {
  const api = useApi()
  const others = models.filter(({ name }) => name !== namespace.model)
  const [model, setModel] = useState(others[0]?.name ?? '')
  const [flip, setFlip] = useState<Flip>('manual')
  const [days, setDays] = useState<keyof typeof keepDays>('7')
  const estimate = useMutation({ mutationFn: () => api.reindexes.estimate(namespace.namespace_name, { model }) })
  if (others.length === 0) return <p class="muted">This server offers no other model.</p>
  const choose = (name: string) => {
    setModel(name)
    estimate.reset()
  }
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault()
        start({ model, flip, keep_days: Number(days), compare_queries: flip === 'manual' })
      }}
    >
      <ModelSelect label="Change to" models={others} value={model} onValue={choose} />
      <Choice legend="Switch" type="radio" options={flips} chosen={[flip]} onChange={(value) => setFlip(value)} />
      <Field label="Keep the former model after the switch" hint="As long as it is kept, you can switch back.">
        {(id, describedBy) => (
          <Select id={id} aria-describedby={describedBy} options={keepDays} value={days} onValue={setDays} />
        )}
      </Field>
      {flip === 'manual' ? (
        <p class="hint">
          The texts of up to 50 searches are kept until the switch, to compare what both models find for them.
        </p>
      ) : null}
      {estimate.data ? <EstimateLine estimate={estimate.data} /> : null}
      {estimate.error ? <Problem error={estimate.error} /> : null}
      <footer class="dialog-foot">
        <Button label="Estimate" disabled={estimate.isPending} onClick={() => estimate.mutate()} />
        <Button label="Start" type="submit" look="primary" disabled={isStarting} />
      </footer>
    </form>
  )
}
