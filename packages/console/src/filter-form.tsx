import type { Filter } from '@cairn/client'
import { useId } from 'preact/hooks'
import { Select } from './form.tsx'
import { changeAt } from './list-changes.ts'
import { Button } from './parts.tsx'

const operators = {
  eq: 'is',
  ne: 'is not',
  contains: 'contains',
  prefix: 'begins with',
  gte: 'at least',
  lte: 'at most',
  in: 'is one of',
  exists: 'exists',
} as const
type Operator = keyof typeof operators
export type Condition = { readonly key: string; readonly operator: Operator; readonly value: string }

export const newCondition: Condition = { key: '', operator: 'eq', value: '' }

/** Parses a value: `2020` is a number and `true` a boolean, as in metadata; text in quotes is always a string. */
const readValue = (text: string): string | number | boolean => {
  const sent = text.trim()
  if (/^".*"$/.test(sent)) return sent.slice(1, -1)
  if (sent === 'true' || sent === 'false') return sent === 'true'
  return sent !== '' && Number.isFinite(Number(sent)) ? Number(sent) : sent
}

/** Returns undefined without a complete condition. */
export const filterOf = (conditions: readonly Condition[]): Filter | undefined => {
  const complete = conditions.filter(
    ({ key, operator, value }) => key.trim() && (operator === 'exists' || value.trim()),
  )
  const filters = complete.map(({ key, operator, value }): Filter => {
    const operand =
      operator === 'exists'
        ? true
        : operator === 'in'
          ? value.split(',').map(readValue)
          : operator === 'prefix'
            ? value
            : readValue(value)
    return { key: key.trim(), [operator]: operand }
  })
  return filters.length > 1 ? { and: filters } : filters[0]
}

/** Returns parameters like `gte:year:2021`. */
export const conditionParams = (conditions: readonly Condition[]): readonly string[] =>
  conditions.map(({ key, operator, value }) => `${operator}:${encodeURIComponent(key)}:${value}`)

/** Leaves out parameters that are no condition. */
export const conditionsIn = (params: readonly string[]): readonly Condition[] =>
  params.flatMap((param) => {
    const [, operator = '', key = '', value = ''] = /^(\w+):([^:]*):(.*)$/s.exec(param) ?? []
    if (!Object.hasOwn(operators, operator)) return []
    try {
      return [{ operator: operator as Operator, key: decodeURIComponent(key), value }]
    } catch {
      return []
    }
  })

type Props = { readonly conditions: readonly Condition[]; readonly onChange: (next: readonly Condition[]) => void }

export const FilterForm = ({ conditions, onChange }: Props) => {
  const id = useId()
  const change = (index: number, part: Partial<Condition>) => onChange(changeAt(conditions, index, part))
  return (
    <fieldset class="filter-form">
      <legend>Metadata filter</legend>
      {conditions.map((condition, index) => (
        <div class="filter-row" key={`${id}-${index}`}>
          <input
            aria-label={`Key ${index + 1}`}
            placeholder="key"
            value={condition.key}
            onInput={(event) => change(index, { key: event.currentTarget.value })}
          />
          <Select
            aria-label={`Comparison ${index + 1}`}
            options={operators}
            value={condition.operator}
            onValue={(operator) => change(index, { operator })}
          />
          <input
            aria-label={`Value ${index + 1}`}
            placeholder={condition.operator === 'in' ? 'one, two' : 'value'}
            disabled={condition.operator === 'exists'}
            value={condition.value}
            onInput={(event) => change(index, { value: event.currentTarget.value })}
          />
          <Button
            label="×"
            look="quiet"
            aria-label={`Remove condition ${index + 1}`}
            onClick={() => onChange(conditions.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button label="Add a condition" small onClick={() => onChange([...conditions, newCondition])} />
    </fieldset>
  )
}
