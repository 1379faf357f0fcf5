import type { Model } from '@cairn/client'
import { useQuery } from '@tanstack/preact-query'
import { Field, Select } from './form.tsx'
import { useApi } from './session.ts'

export const useModels = () => {
  const api = useApi()
  return useQuery({
    queryKey: ['models'],
    queryFn: () => api.models(),
    refetchInterval: ({ state }) => (state.data?.some((model) => model.state === 'loading') ? 1_000 : false),
  })
}

/** Returns '' if it was not measured, or English is not read. */
export const describeReading = (unread: readonly string[] | undefined): string => {
  if (unread === undefined || unread.includes('English')) return ''
  if (unread.length > 4) return 'Reads English. Other languages are found by their words.'
  const others = unread.length > 0 ? ` Texts in ${unread.join(', ')} are found by their words.` : ''
  return `Reads about 100 languages.${others}`
}

const purposeOf = ({ provider, unread_scripts: unread, dimension }: Model): string => {
  if (provider === 'lexical') return 'Finds words, not meaning. Fast, and needs no model.'
  const reads = describeReading(unread)
  const where = provider === 'openai' ? ' Runs on the embedding server.' : ''
  return `Finds meaning and words.${reads && ` ${reads}`}${where} ${dimension} dimensions.`
}

const stateOf = ({ state, progress }: Model): string => {
  if (state === 'failed') return ' It cannot be used now.'
  if (state === 'idle') return ' It is loaded when it is first used.'
  if (state === 'loading') return ` It is loading${progress === undefined ? '' : `, ${Math.round(progress * 100)} %`}.`
  return ''
}

export const describeModel = (model: Model): string => purposeOf(model) + stateOf(model)

type Props = {
  readonly label: string
  readonly models: readonly Model[]
  readonly value: string
  readonly onValue: (name: string) => void
}
export const ModelSelect = ({ label, models, value, onValue }: Props) => {
  const chosen = models.find(({ name }) => name === value)
  const options = Object.fromEntries(
    models.map(({ name, is_default: isDefault }) => [name, isDefault ? `${name} (default)` : name]),
  )
  return (
    <Field label={label} hint={chosen && describeModel(chosen)}>
      {(id, describedBy) => (
        <Select id={id} aria-describedby={describedBy} options={options} value={value} onValue={onValue} />
      )}
    </Field>
  )
}
