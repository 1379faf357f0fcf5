import { createApi } from '../api.ts'
import { KeyForm } from '../form.tsx'
import { Stones } from '../parts.tsx'

type Props = { readonly problem: string | undefined; readonly onKey: (apiKey: string) => void }

/** Asks for an API key and checks it with a request. */
export const SignIn = ({ problem, onKey }: Props) => (
  <main class="sign-in">
    <KeyForm
      class="card"
      label="API key"
      hint="npm start stores the first key in data/api-key, and `cairn open` signs in with it. It is kept in this tab only."
      action="Open the console"
      problem={problem}
      onKey={async (apiKey) => {
        await createApi(apiKey).namespaces.list()
        onKey(apiKey)
      }}
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
