import { limits, type Namespace } from '@cairn/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { FilterForm, filterOf } from '../filter-form.tsx'
import { Field, Select, TextField } from '../form.tsx'
import { toggle } from '../list-changes.ts'
import { Button } from '../parts.tsx'
import { modes, type Query, readTopK } from './search-request.ts'

type Names = readonly string[]
type ChoiceProps = { readonly names: Names; readonly chosen: Names; readonly onChange: (chosen: Names) => void }

const NamespaceChoice = ({ names, chosen, onChange }: ChoiceProps) => (
  <fieldset class="chips">
    <legend>Namespaces</legend>
    {names.map((name) => (
      <label key={name} class="chip">
        <input
          type="checkbox"
          checked={chosen.includes(name)}
          onChange={(event) => onChange(toggle(chosen, name, event.currentTarget.checked))}
        />
        <span>{name}</span>
      </label>
    ))}
  </fieldset>
)

type OptionsProps = {
  readonly query: Query
  readonly isVector: boolean
  readonly onChange: (part: Partial<Query>) => void
}

const SearchOptions = ({ query, isVector, onChange }: OptionsProps) => (
  <details class="options">
    <summary>Mode, number of hits and filter{filterOf(query.conditions) ? ' · filtered' : ''}</summary>
    <div class="option-row">
      <Field label="Mode">
        {(id) => (
          <Select
            id={id}
            options={modes}
            value={query.mode}
            disabled={isVector}
            onValue={(mode) => onChange({ mode })}
          />
        )}
      </Field>
      <TextField
        label="Hits"
        type="number"
        min={1}
        max={limits.topK}
        value={query.topK}
        onText={(text) => onChange({ topK: readTopK(text) })}
      />
    </div>
    <FilterForm conditions={query.conditions} onChange={(conditions) => onChange({ conditions })} />
  </details>
)

/** Returns the namespaces of a query that exist; by default the first of the list. */
export const namespacesOf = (query: Query, namespaces: readonly Namespace[]): readonly Namespace[] =>
  query.namespaces.length === 0
    ? namespaces.slice(0, 1)
    : namespaces.filter((each) => query.namespaces.includes(each.namespace_name))

type Props = {
  readonly namespaces: readonly Namespace[]
  /** The query of the address. */
  readonly query: Query
  readonly onStart: (query: Query) => void
}

export const SearchForm = ({ namespaces, query, onStart }: Props) => {
  const [draft, setDraft] = useState(query)
  const sent = JSON.stringify(query)
  useEffect(() => setDraft(JSON.parse(sent) as Query), [sent])
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current?.value === '') input.current.focus()
  }, [])
  const change = (part: Partial<Query>) => setDraft((before) => ({ ...before, ...part }))
  const chosen = namespacesOf(draft, namespaces)
  const names = chosen.map((each) => each.namespace_name)
  const isVector = chosen.some((each) => each.type === 'vector')
  const isReady = draft.text.trim() !== '' && chosen.length > 0
  const start = (isQuestion: boolean) => onStart({ ...draft, namespaces: names, isQuestion })
  return (
    <form
      class="search-form"
      onSubmit={(event) => {
        event.preventDefault()
        start(false)
      }}
    >
      <div class="search-line">
        <input
          ref={input}
          type="search"
          aria-label="Query or question"
          placeholder={isVector ? 'A vector: [0.12, -0.4, …]' : 'What are you looking for?'}
          value={draft.text}
          onInput={(event) => change({ text: event.currentTarget.value })}
        />
        <Button label="Search" type="submit" look="primary" disabled={!isReady} />
        <Button
          label="Ask"
          disabled={!isReady || isVector || chosen.length !== 1}
          title={chosen.length > 1 ? 'Choose one namespace to ask' : undefined}
          onClick={() => start(true)}
        />
      </div>
      <NamespaceChoice
        names={namespaces.map((each) => each.namespace_name)}
        chosen={names}
        onChange={(next) => change({ namespaces: next })}
      />
      <SearchOptions query={draft} isVector={isVector} onChange={change} />
    </form>
  )
}
