import { limits, type Namespace } from '@cairn/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { FilterForm, filterOf } from '../filter-form.tsx'
import { Field, Select, TextField } from '../form.tsx'
import { toggle } from '../list-changes.ts'
import { Button } from '../parts.tsx'
import { labelOfAll, modes, namesOf, namespacesOf, type Query, readTopK } from './search-request.ts'

type Names = readonly string[]
type ChoiceProps = {
  readonly namespaces: readonly Namespace[]
  /** None: all. */
  readonly named: Names
  readonly onChange: (named: Names) => void
}

const NamespaceChoice = ({ namespaces, named, onChange }: ChoiceProps) => {
  const chip = (label: string, isChosen: boolean, onChoice: (isOn: boolean) => void) => (
    <label key={label} class="chip">
      <input type="checkbox" checked={isChosen} onChange={(event) => onChoice(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  )
  return (
    <fieldset class="chips">
      <legend>Namespaces</legend>
      {namespaces.length > 1
        ? chip(labelOfAll(namespaces), named.length === 0, (isOn) =>
            onChange(isOn ? [] : namesOf(namespaces.slice(0, 1))),
          )
        : null}
      {namesOf(namespaces).map((name) =>
        chip(name, named.includes(name) || namespaces.length === 1, (isOn) => onChange(toggle(named, name, isOn))),
      )}
    </fieldset>
  )
}

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

type Props = {
  readonly namespaces: readonly Namespace[]
  /** From the address. */
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
  const isVector = chosen.some((each) => each.type === 'vector')
  const isReady = draft.text.trim() !== '' && chosen.length > 0
  const start = (isQuestion: boolean) => onStart({ ...draft, isQuestion })
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
        <Button label="Ask" disabled={!isReady || isVector} onClick={() => start(true)} />
      </div>
      <NamespaceChoice
        namespaces={namespaces}
        named={draft.namespaces}
        onChange={(named) => change({ namespaces: named })}
      />
      <SearchOptions query={draft} isVector={isVector} onChange={change} />
    </form>
  )
}
