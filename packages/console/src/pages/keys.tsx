import type { Account, Usage } from '@cairn/client'
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { CreateAccountDialog, TierDialog } from '../accounts/dialogs.tsx'
import { KeyTable } from '../accounts/key-table.tsx'
import { UsageHistory } from '../accounts/usage-history.tsx'
import { VisitButton } from '../accounts/visit.tsx'
import { bytes, number } from '../format.ts'
import { Badge, Button, Empty, Meter, QueryStatus, Section } from '../parts.tsx'
import { goTo, useParams, withParams } from '../router.ts'
import { useAdmin, useSession } from '../session.ts'
import { AdminGate } from './admin-gate.tsx'

type QuotaProps = {
  readonly label: string
  readonly used: number
  readonly limit: number | null
  readonly show?: (value: number) => string
}
const Quota = ({ label, used, limit, show = number }: QuotaProps) => {
  const share = limit ? Math.min(1, used / limit) : 0
  return (
    <div class="quota">
      <dt>{label}</dt>
      <dd>
        <strong>{show(used)}</strong>
        <span class="muted"> {limit === null ? 'no limit' : `of ${show(limit)}`}</span>
        {limit === null ? null : <Meter share={share} full={share >= 0.9} />}
      </dd>
    </div>
  )
}

const UsageView = ({ usage }: { readonly usage: Usage }) => (
  <dl class="quotas">
    <Quota label={`Requests in ${usage.period}`} {...usage.requests} />
    <Quota label="Credits" used={usage.credits.used} limit={null} />
    <Quota label="Namespaces" {...usage.namespaces} />
    <Quota label="Documents" {...usage.documents} />
    <Quota label="Vectors" {...usage.vectors} />
    <Quota label="Files" {...usage.bytes} show={bytes} />
    <Quota label="Open uploads" {...usage.open_uploads} />
  </dl>
)

const AccountView = ({ account }: { readonly account: Account }) => {
  const admin = useAdmin()
  const { account_id: accountId, status, tier } = account
  const [isChanging, setChanging] = useState(false)
  const usage = useQuery({
    queryKey: ['usage', accountId],
    queryFn: () => admin.accounts.usage(accountId),
    refetchInterval: 5_000,
  })
  const tierLine = (
    <>
      <Badge tone={status === 'active' ? 'good' : 'bad'}>{tier}</Badge>
      <Button label="Change tier" small onClick={() => setChanging(true)} />
      <VisitButton account={account} />
    </>
  )
  return (
    <>
      <Section heading="Usage" beside={tierLine}>
        <QueryStatus query={usage} rows={3} />
        {usage.data ? <UsageView usage={usage.data} /> : null}
      </Section>
      <KeyTable accountId={accountId} />
      <UsageHistory account={accountId} load={(by) => admin.accounts.usage(accountId, { by })} />
      {isChanging ? <TierDialog account={account} onClose={() => setChanging(false)} /> : null}
    </>
  )
}

const Accounts = () => {
  const admin = useAdmin()
  const chosen = useParams().get('account')
  const setChosen = (account: string) => goTo(withParams(location.hash, { account }))
  const [isCreating, setCreating] = useState(false)
  const accounts = useQuery({ queryKey: ['accounts'], queryFn: () => admin.accounts.list(), refetchInterval: 10_000 })
  if (!accounts.data) return <QueryStatus query={accounts} rows={6} />
  const account = accounts.data.find(({ account_id: id }) => id === chosen) ?? accounts.data[0]
  return (
    <>
      <QueryStatus query={accounts} />
      <div class="toolbar">
        <label class="inline">
          Account
          <select value={account?.account_id ?? ''} onChange={(event) => setChosen(event.currentTarget.value)}>
            {accounts.data.map(({ account_id: id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Button label="New account" onClick={() => setCreating(true)} />
      </div>
      {account ? <AccountView key={account.account_id} account={account} /> : <Empty title="No accounts yet" />}
      {isCreating ? <CreateAccountDialog onClose={() => setCreating(false)} onCreated={setChosen} /> : null}
    </>
  )
}

export const Keys = () => {
  const { api, admin: isOperator } = useSession()
  return (
    <>
      <header class="page-head">
        <h1>Keys and usage</h1>
      </header>
      {isOperator ? null : <UsageHistory account="own" load={(by) => api.usage({ by })} />}
      <AdminGate why="Enter the admin key to manage accounts, keys and limits.">
        <Accounts />
      </AdminGate>
    </>
  )
}
