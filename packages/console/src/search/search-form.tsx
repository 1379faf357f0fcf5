import { limits, type Namespace } from '@cairn/client'
import { useState } from 'preact/hooks'
import { type Condition, FilterForm, filterOf } from '../filter-form.tsx'
import { Field, Select, TextField } from '../form.tsx'
import { toggle } from '../list-changes.ts'
import { Button } from '../parts.tsx'
import { answerRequest, type Mode, type Query, type Request, readTopK, searchRequest } from './search-request.ts'

const modes: Readonly<Record<Mode, string>> = {
  hybrid: 'Hybrid: meaning and words',
  semantic: 'Semantic: meaning',
  lexical: 'Lexical: words',
}

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

type Options = { readonly mode: Mode; readonly topK: number; readonly conditions: readonly Condition[] }
type OptionsProps = {
  readonly options: Options
  readonly isVector: boolean
  readonly isFiltered: boolean
  readonly onChange: (part: Partial<Options>) => void
}

const SearchOptions = ({ options, isVector, isFiltered, onChange }: OptionsProps) => (
  <details class="options">
    <summary>Mode, number of hits and filter{isFiltered ? ' · filtered' : ''}</summary>
    <div class="option-row">
      <Field label="Mode">
        {(id) => (
          <Select
            id={id}
            options={modes}
            value={options.mode}
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
        value={options.topK}
        onText={(text) => onChange({ topK: readTopK(text) })}
      />
    </div>
    <FilterForm conditions={options.conditions} onChange={(conditions) => onChange({ conditions })} />
  </details>
)

type Props = {
  readonly namespaces: readonly Namespace[]
  /** Initially selected namespace; default: the first of the list. */
  readonly first: string | undefined
  readonly onStart: (request: Request, text: string) => void
}

export const SearchForm = ({ namespaces, first, onStart }: Props) => {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Names | undefined>(first === undefined ? undefined : [first])
  const [options, setOptions] = useState<Options>({ mode: 'hybrid', topK: 10, conditions: [] })
  const names = namespaces.map((each) => each.namespace_name)
  const known = (chosen ?? names.slice(0, 1)).filter((name) => names.includes(name))
  const isVector = namespaces.some((each) => each.type === 'vector' && known.includes(each.namespace_name))
  const { mode, topK, conditions } = options
  const filter = filterOf(conditions)
  const query: Query = { text, namespaces: known, topK, mode: isVector ? undefined : mode, filter }
  const isReady = text.trim() !== '' && known.length > 0
  return (
    <form
      class="search-form"
      onSubmit={(event) => {
        event.preventDefault()
        onStart(searchRequest(query), text)
      }}
    >
      <div class="search-line">
        <input
          type="search"
          aria-label="Query or question"
          placeholder={isVector ? 'A vector: [0.12, -0.4, …]' : 'What are you looking for?'}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button label="Search" type="submit" look="primary" disabled={!isReady} />
        <Button
          label="Ask"
          disabled={!isReady || isVector || known.length !== 1}
          title={known.length > 1 ? 'Choose one namespace to ask' : undefined}
          onClick={() => onStart(answerRequest(query), text)}
        />
      </div>
      <NamespaceChoice names={names} chosen={known} onChange={setChosen} />
      <SearchOptions
        options={options}
        isVector={isVector}
        isFiltered={filter !== undefined}
        onChange={(part) => setOptions((before) => ({ ...before, ...part }))}
      />
    </form>
  )
}
