import type { Account } from '@cairn/client'
import { useMutation } from '@tanstack/preact-query'
import { Button, Problem } from '../parts.tsx'
import { goTo, routeTo } from '../router.ts'
import { useAdmin, useSession } from '../session.ts'

const visitMs = 60 * 60_000

/** Opens the console of an account with a new key. */
export const VisitButton = ({ account }: { readonly account: Account }) => {
  const admin = useAdmin()
  const { setVisit } = useSession()
  const visit = useMutation({
    mutationFn: async () => {
      const { key_id: keyId, api_key: apiKey } = await admin.keys.create(account.account_id, {
        name: 'console of the operator',
        scopes: ['read'],
        expires_at: new Date(Date.now() + visitMs).toISOString(),
      })
      setVisit({ name: account.name, keyId, apiKey })
      goTo(routeTo('namespaces'))
    },
  })
  return (
    <>
      <Button label="Look inside" small disabled={visit.isPending} onClick={() => visit.mutate()} />
      {visit.error ? <Problem error={visit.error} /> : null}
    </>
  )
}

export const VisitLine = () => {
  const { visit, admin, setVisit } = useSession()
  if (!visit) return null
  const leave = async () => {
    setVisit(undefined)
    goTo(routeTo('keys'))
    // If this fails, the key still expires within the hour.
    await admin?.keys.setState(visit.keyId, 'revoked').catch(() => undefined)
  }
  return (
    <section class="notice" aria-label="Account">
      <span>
        You are looking at the account <strong>{visit.name}</strong>, read only.
      </span>
      <Button label="Leave" small onClick={() => void leave()} />
    </section>
  )
}
