import { languages } from '@cairn/client'
import { Field, Select } from '../form.tsx'

const names = new Intl.DisplayNames('en', { type: 'language' })

export const languageName = (code: string): string => (code === 'none' ? 'None' : (names.of(code) ?? code))

const options = Object.fromEntries(
  languages.map((code) => [code, languageName(code)] as const).toSorted(([, a], [, b]) => (a < b ? -1 : 1)),
)

type Props = { readonly value: string; readonly onValue: (code: string) => void }
export const LanguageSelect = ({ value, onValue }: Props) => (
  <Field
    label="Language"
    hint={
      value === 'none'
        ? 'A search finds words only exactly as they are written.'
        : `A search ignores ${languageName(value)} word endings: “walks” finds “walking”.`
    }
  >
    {(id, describedBy) => (
      <Select id={id} aria-describedby={describedBy} options={options} value={value} onValue={onValue} />
    )}
  </Field>
)
