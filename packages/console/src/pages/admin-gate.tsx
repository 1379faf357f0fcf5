import type { Admin } from '@cairn/client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { createAdminApi } from '../api.ts'
import { Field, Problem } from '../parts.tsx'
import { useSession } from '../session.ts'

type Props = { readonly why: string; readonly children: (admin: Admin) => ComponentChildren }

/** Asks for the admin key before it shows what needs it. */
export const AdminGate = ({ why, children }: Props) => {
  const session = useSession()
  const [adminKey, setAdminKey] = useState('')
  const [state, setState] = useState<{ readonly busy: boolean; readonly error?: unknown }>({ busy: false })
  if (session.admin) return <>{children(session.admin)}</>
  const submit = async () => {
    setState({ busy: true })
    try {
      await createAdminApi(adminKey.trim()).accounts.list()
      session.setAdminKey(adminKey.trim())
    } catch (error) {
      setState({ busy: false, error })
    }
  }
  return (
    <form
      class="card gate"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p>{why}</p>
      <Field
        label="Admin key"
        hint="npm start keeps it in data/admin-key. This page forgets it when it is closed or reloaded."
      >
        {(id, describedBy) => (
          <input
            id={id}
            aria-describedby={describedBy}
            type="password"
            autocomplete="off"
            required
            value={adminKey}
            onInput={(event) => setAdminKey(event.currentTarget.value)}
          />
        )}
      </Field>
      {state.error ? <Problem error={state.error} /> : null}
      <button type="submit" class="button primary" disabled={state.busy}>
        Continue
      </button>
    </form>
  )
}
