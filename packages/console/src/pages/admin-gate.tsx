import type { ComponentChildren } from 'preact'
import { createAdminApi } from '../api.ts'
import { KeyForm } from '../form.tsx'
import { useSession } from '../session.ts'

type Props = { readonly why: string; readonly children: ComponentChildren }

export const AdminGate = ({ why, children }: Props) => {
  const { admin, setAdminKey } = useSession()
  if (admin) return <>{children}</>
  return (
    <KeyForm
      class="card gate"
      label="Admin key"
      hint="npm start stores it in data/admin-key. It is forgotten when you close or reload this page."
      action="Continue"
      onKey={async (adminKey) => {
        await createAdminApi(adminKey).accounts.list()
        setAdminKey(adminKey)
      }}
    >
      <p>{why}</p>
    </KeyForm>
  )
}
