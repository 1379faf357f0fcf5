import { useState } from 'preact/hooks'
import { createApi } from '../api.ts'
import { KeyForm } from '../form.tsx'
import { KeepChoice } from '../keep-choice.tsx'
import { Stones } from '../parts.tsx'
import type { Keep } from '../session.ts'

type Props = { readonly problem: string | undefined; readonly onKey: (apiKey: string, keep: Keep) => void }

export const SignIn = ({ problem, onKey }: Props) => {
  const [keep, setKeep] = useState<Keep>('tab')
  return (
    <main class="sign-in">
      <KeyForm
        class="card"
        label="API key"
        autofocus
        hint="npm start stores the first key in data/api-key, and “cairn open” signs in with it."
        action="Open the console"
        problem={problem}
        onKey={async (apiKey) => {
          await createApi(apiKey).namespaces.list()
          onKey(apiKey, keep)
        }}
        options={<KeepChoice keep={keep} onKeep={setKeep} />}
        foot={
          <p class="hint">
            <a href="/docs">API docs</a>
          </p>
        }
      >
        <div class="brand">
          <Stones />
          <h1>Cairn</h1>
        </div>
      </KeyForm>
    </main>
  )
}
