import { useState } from 'preact/hooks'
import { createApi } from '../api.ts'
import { Field, Problem, Stones } from '../parts.tsx'

type Props = { readonly problem: string | undefined; readonly onKey: (apiKey: string) => void }

/** Asks for an API key and checks it by a request. */
export const SignIn = ({ problem, onKey }: Props) => {
  const [apiKey, setApiKey] = useState('')
  const [state, setState] = useState<{ readonly busy: boolean; readonly error?: unknown }>({ busy: false })
  const submit = async () => {
    setState({ busy: true })
    try {
      await createApi(apiKey.trim()).namespaces.list()
      onKey(apiKey.trim())
    } catch (error) {
      setState({ busy: false, error })
    }
  }
  return (
    <main class="sign-in">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div class="brand">
          <Stones />
          <h1>Cairn</h1>
        </div>
        {problem === undefined || state.error ? null : <Problem error={new Error(problem)} />}
        <Field
          label="API key"
          hint="npm start keeps the first one in data/api-key, and `cairn open` signs in with it. It stays in this tab only."
        >
          {(id, describedBy) => (
            <input
              id={id}
              aria-describedby={describedBy}
              type="password"
              autocomplete="off"
              spellcheck={false}
              required
              value={apiKey}
              onInput={(event) => setApiKey(event.currentTarget.value)}
            />
          )}
        </Field>
        {state.error ? <Problem error={state.error} /> : null}
        <button type="submit" class="button primary" disabled={state.busy}>
          Open the console
        </button>
        <p class="hint">
          <a href="/docs">API docs</a>
        </p>
      </form>
    </main>
  )
}
