import type { FileStatus, RetryFile } from '@cairn/client'
import { useState } from 'preact/hooks'
import { FormDialog } from '../dialog.tsx'
import { Field, Select } from '../form.tsx'

/** By the names of Tesseract. */
const ocrLanguages = {
  eng: 'English',
  ara: 'Arabic',
  chi_sim: 'Chinese, simplified',
  chi_tra: 'Chinese, traditional',
  nld: 'Dutch',
  fra: 'French',
  deu: 'German',
  hin: 'Hindi',
  ita: 'Italian',
  jpn: 'Japanese',
  kor: 'Korean',
  pol: 'Polish',
  por: 'Portuguese',
  rus: 'Russian',
  spa: 'Spanish',
  tur: 'Turkish',
} as const

const encodings = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'windows-1252': 'Western European (Windows-1252)',
  'iso-8859-15': 'Western European (ISO 8859-15)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  shift_jis: 'Japanese (Shift JIS)',
  'euc-kr': 'Korean (EUC-KR)',
  gb18030: 'Chinese (GB 18030)',
  big5: 'Chinese (Big5)',
} as const

type Settings = 'encoding' | 'languages'

/** Returns the settings with which a retry may succeed, although one with the same would not. */
export const settingsFor = ({ reason, file_name: name }: Pick<FileStatus, 'reason' | 'file_name'>) => {
  if (reason === 'unknown_encoding') return 'encoding'
  return reason === 'no_text' && /\.pdf$/i.test(name) ? 'languages' : undefined
}

type Props = {
  readonly name: string
  readonly settings: Settings
  readonly retry: (settings: RetryFile) => Promise<unknown>
  readonly onClose: () => void
}

export const RetryDialog = ({ name, settings, retry, onClose }: Props) => {
  const [encoding, setEncoding] = useState<keyof typeof encodings>('utf-8')
  const [language, setLanguage] = useState<keyof typeof ocrLanguages>('eng')
  const isEncoding = settings === 'encoding'
  const run = () => retry(isEncoding ? { encoding } : { ocr: true, languages: [language] }).then(onClose)
  return (
    <FormDialog title={`Retry ${name}`} action="Retry" run={run} onClose={onClose}>
      {isEncoding ? (
        <Field label="Encoding" hint="How the text was saved. Try another one if the result is unreadable.">
          {(id, describedBy) => (
            <Select id={id} aria-describedby={describedBy} options={encodings} value={encoding} onValue={setEncoding} />
          )}
        </Field>
      ) : (
        <Field label="Language of the scanned pages" hint="Pages without text are read as images in this language.">
          {(id, describedBy) => (
            <Select
              id={id}
              aria-describedby={describedBy}
              options={ocrLanguages}
              value={language}
              onValue={setLanguage}
            />
          )}
        </Field>
      )}
    </FormDialog>
  )
}
