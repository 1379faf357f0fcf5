import type { ComponentChildren, InputHTMLAttributes, JSX, SelectHTMLAttributes } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Button, Problem } from './parts.tsx'

type FieldProps = {
  readonly label: string
  readonly hint?: string
  readonly children: (id: string, describedBy: string | undefined) => JSX.Element
}
export const Field = ({ label, hint, children }: FieldProps) => {
  const id = useId()
  const hintId = hint ? `${id}-hint` : undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, hintId)}
      {hint ? (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      ) : null}
    </div>
  )
}

type TextFieldProps = Omit<InputHTMLAttributes, 'label' | 'onInput' | 'value'> & {
  readonly label: string
  readonly hint?: string
  /** What the browser says if the value does not match the pattern. */
  readonly rule?: string
  readonly value: string | number
  readonly onText: (text: string) => void
}
export const TextField = ({ label, hint, rule = '', onText, ...input }: TextFieldProps) => (
  <Field label={label} hint={hint}>
    {(id, describedBy) => (
      <input
        {...input}
        id={id}
        aria-describedby={describedBy}
        autocomplete="off"
        onInput={({ currentTarget: field }) => {
          field.setCustomValidity(field.validity.patternMismatch ? rule : '')
          onText(field.value)
        }}
      />
    )}
  </Field>
)

type SelectProps<T extends string> = Omit<SelectHTMLAttributes, 'onChange' | 'value'> & {
  readonly options: Readonly<Record<T, string>>
  readonly value: T
  readonly onValue: (value: T) => void
}
/** Offers the keys of `options`; their values are the labels. */
export const Select = <T extends string>({ options, onValue, ...select }: SelectProps<T>) => (
  <select {...select} onChange={(event) => onValue(event.currentTarget.value as T)}>
    {Object.entries<string>(options).map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
)

type ChoiceProps<T extends string> = {
  readonly legend: string
  readonly type: 'checkbox' | 'radio'
  readonly options: Readonly<Record<T, readonly [title: string, description: string]>>
  readonly chosen: readonly T[]
  readonly onChange: (value: T, isChosen: boolean) => void
}
export const Choice = <T extends string>({ legend, type, options, chosen, onChange }: ChoiceProps<T>) => (
  <fieldset class="choice">
    <legend>{legend}</legend>
    {(Object.keys(options) as T[]).map((value) => (
      <label key={value}>
        <input
          type={type}
          name={legend}
          checked={chosen.includes(value)}
          onChange={(event) => onChange(value, event.currentTarget.checked)}
        />
        <span>
          <strong>{options[value][0]}</strong>
          {options[value][1]}
        </span>
      </label>
    ))}
  </fieldset>
)

type KeyFormProps = {
  readonly class: string
  readonly label: string
  readonly hint: string
  readonly autofocus?: boolean
  readonly action: string
  /** Shown until the server refuses a key. */
  readonly problem?: string | undefined
  /** Rejects if the server refuses the key. */
  readonly onKey: (key: string) => Promise<void>
  readonly children: ComponentChildren
  readonly options?: ComponentChildren
  readonly foot?: ComponentChildren
}
export const KeyForm = ({
  label,
  hint,
  autofocus,
  action,
  problem,
  onKey,
  children,
  options,
  foot,
  ...form
}: KeyFormProps) => {
  const [key, setKey] = useState('')
  const [state, setState] = useState<{ readonly busy: boolean; readonly error?: unknown }>({ busy: false })
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (autofocus) element.current?.querySelector('input')?.focus()
  }, [autofocus])
  const submit = async () => {
    setState({ busy: true })
    try {
      await onKey(key.trim())
    } catch (error) {
      setState({ busy: false, error })
    }
  }
  return (
    <form
      ref={element}
      {...form}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {children}
      {problem === undefined || state.error ? null : <Problem error={new Error(problem)} />}
      <TextField label={label} hint={hint} type="password" spellcheck={false} required value={key} onText={setKey} />
      {options}
      {state.error ? <Problem error={state.error} /> : null}
      <Button label={action} type="submit" look="primary" disabled={state.busy} />
      {foot}
    </form>
  )
}
