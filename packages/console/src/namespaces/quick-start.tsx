import { useState } from 'preact/hooks'
import { Button, Code, Segments } from '../parts.tsx'
import { useSession } from '../session.ts'
import { type Language, languages } from '../snippets.ts'
import { quickStart } from './quick-start-programs.ts'

const mask = (key: string): string => `${key.slice(0, 10)}${'•'.repeat(12)}`

export const QuickStart = () => {
  const { apiKey } = useSession()
  const [language, setLanguage] = useState<Language>('curl')
  const [isShown, setShown] = useState(false)
  const program = (key: string) => quickStart(language, location.origin, key)
  return (
    <section class="quick-start" aria-label="Quick start">
      <div class="toolbar">
        <Segments label="Language" options={languages} value={language} onValue={setLanguage} />
        <Button
          label={isShown ? 'Hide key' : 'Show key'}
          small
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        />
      </div>
      <Code text={program(isShown ? apiKey : mask(apiKey))} copied={program(apiKey)} label="First requests" />
      <p class="hint">Copying fills in your API key. Anyone who has it can use your account.</p>
    </section>
  )
}
