import type { Account, Admin, ApiKey, CreateKey, Usage } from '@cairn/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { age, bytes, dateTime, number } from '../format.ts'
import { Badge, Code, Confirm, Dialog, Empty, Field, Problem, Skeleton, type Tone } from '../parts.tsx'
import { useSession } from '../session.ts'
import { AdminGate } from './admin-gate.tsx'
import { UsageHistory } from './usage-history.tsx'

type Scope = ApiKey['scopes'][number]

const scopes: Readonly<Record<Scope, string>> = {
  read: 'Search and read',
  write: 'Upload and delete items, create namespaces',
  admin: 'Delete namespaces',
}
const tones: Readonly<Record<ApiKey['state'], Tone>> = {
  active: 'good',
  inactive: 'neutral',
  disabled: 'neutral',
  revoked: 'bad',
  expired: 'bad',
}

type OfAccount = { readonly admin: Admin; readonly accountId: string }

const CreateKeyDialog = ({ admin, accountId, onClose }: OfAccount & { readonly onClose: () => void }) => {
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly Scope[]>(['read', 'write'])
  const create = useMutation({
    mutationFn: (key: CreateKey) => admin.keys.create(accountId, key),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys', accountId] }),
  })
  if (create.data)
    return (
      <Dialog title="The key was created" onClose={onClose}>
        <p>Copy it now. It is shown only once, since the server keeps no more than a hash of it.</p>
        <Code text={create.data.api_key} label="API key" />
        <footer class="dialog-foot">
          <button type="button" class="button primary" onClick={onClose}>
            Done
          </button>
        </footer>
      </Dialog>
    )
  return (
    <Dialog title="New API key" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ name: name.trim(), scopes: [...chosen] })
        }}
      >
        <Field label="Name">
          {(id) => (
            <input
              id={id}
              required
              maxLength={200}
              autocomplete="off"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <fieldset class="choice">
          <legend>Scopes</legend>
          {(Object.keys(scopes) as Scope[]).map((scope) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                onChange={(event) =>
                  setChosen(event.currentTarget.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope))
                }
              />
              <span>
                <strong>{scope}</strong>
                {scopes[scope]}
              </span>
            </label>
          ))}
        </fieldset>
        {create.error ? <Problem error={create.error} /> : null}
        <footer class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={create.isPending || chosen.length === 0}>
            Create key
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

const KeyTable = ({ admin, accountId }: OfAccount) => {
  const queries = useQueryClient()
  const [isCreating, setCreating] = useState(false)
  const [toRevoke, setToRevoke] = useState<ApiKey | undefined>(undefined)
  const keys = useQuery({
    queryKey: ['keys', accountId],
    queryFn: () => admin.keys.list(accountId),
    refetchInterval: 10_000,
  })
  const revoke = useMutation({
    mutationFn: (keyId: string) => admin.keys.setState(keyId, 'revoked'),
    onSuccess: async () => {
      setToRevoke(undefined)
      await queries.invalidateQueries({ queryKey: ['keys', accountId] })
    },
  })
  return (
    <section aria-labelledby="keys-heading">
      <header class="section-head">
        <h2 id="keys-heading">API keys</h2>
        <button type="button" class="button primary" onClick={() => setCreating(true)}>
          New key
        </button>
      </header>
      {keys.error ? <Problem error={keys.error} retry={() => void keys.refetch()} /> : null}
      {keys.isPending ? <Skeleton rows={3} /> : null}
      {keys.data?.length === 0 ? <Empty title="No keys yet" /> : null}
      {keys.data && keys.data.length > 0 ? (
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Scopes</th>
              <th scope="col">State</th>
              <th scope="col">Last used</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {keys.data.map((key) => (
              <tr key={key.key_id}>
                <th scope="row" class="breakable">
                  {key.name}
                  <span class="mono muted key-id">{key.key_id}</span>
                </th>
                <td data-label="Scopes">{key.scopes.join(', ')}</td>
                <td data-label="State">
                  <Badge tone={tones[key.state]}>{key.state}</Badge>
                </td>
                <td
                  data-label="Last used"
                  class="muted"
                  title={key.last_used_at ? dateTime(key.last_used_at) : undefined}
                >
                  {key.last_used_at ? age(key.last_used_at) : 'never'}
                </td>
                <td class="actions">
                  {key.state === 'revoked' ? null : (
                    <button type="button" class="button quiet small" onClick={() => setToRevoke(key)}>
                      Revoke<span class="visually-hidden"> {key.name}</span>
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {isCreating ? <CreateKeyDialog admin={admin} accountId={accountId} onClose={() => setCreating(false)} /> : null}
      {toRevoke ? (
        <Confirm
          title={`Revoke ${toRevoke.name}?`}
          action="Revoke key"
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate(toRevoke.key_id)}
          onClose={() => setToRevoke(undefined)}
        >
          <p>Every process refuses it within five seconds. A revoked key cannot be used again.</p>
        </Confirm>
      ) : null}
    </section>
  )
}

const Quota = (props: {
  readonly label: string
  readonly used: number
  readonly limit: number | null
  readonly show?: (value: number) => string
}) => {
  const { label, used, limit, show = number } = props
  const share = limit === null || limit === 0 ? 0 : Math.min(1, used / limit)
  return (
    <div class="quota">
      <dt>{label}</dt>
      <dd>
        <strong>{show(used)}</strong>
        <span class="muted"> {limit === null ? 'no limit' : `of ${show(limit)}`}</span>
        {limit === null ? null : (
          <span class={share >= 0.9 ? 'meter full' : 'meter'} aria-hidden="true">
            <span style={{ width: `${share * 100}%` }} />
          </span>
        )}
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
    <Quota label="Files" used={usage.bytes.used} limit={usage.bytes.limit} show={bytes} />
    <Quota label="Open uploads" {...usage.open_uploads} />
  </dl>
)

const TierDialog = ({
  admin,
  account,
  onClose,
}: {
  readonly admin: Admin
  readonly account: Account
  readonly onClose: () => void
}) => {
  const queries = useQueryClient()
  const [tier, setTier] = useState(account.tier)
  const change = useMutation({
    mutationFn: (next: string) => admin.accounts.update(account.account_id, { tier: next }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['accounts'] })
      await queries.invalidateQueries({ queryKey: ['usage', account.account_id] })
      onClose()
    },
  })
  return (
    <Dialog title="Limits" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(tier.trim())
        }}
      >
        <TierField tier={tier} onChange={setTier} />
        {change.error ? <Problem error={change.error} /> : null}
        <footer class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={change.isPending}>
            Save
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

const TierField = ({ tier, onChange }: { readonly tier: string; readonly onChange: (tier: string) => void }) => (
  <Field label="Tier" hint="community, professional, enterprise, or one of CAIRN_TIERS_FILE.">
    {(id, describedBy) => (
      <input
        id={id}
        aria-describedby={describedBy}
        required
        maxLength={64}
        autocomplete="off"
        value={tier}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    )}
  </Field>
)

const CreateAccountDialog = (props: {
  readonly admin: Admin
  readonly onClose: () => void
  readonly onCreated: (id: string) => void
}) => {
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [tier, setTier] = useState('community')
  const create = useMutation({
    mutationFn: (account: { readonly name: string; readonly tier: string }) =>
      props.admin.accounts.create(account.name, account.tier),
    onSuccess: async (account) => {
      await queries.invalidateQueries({ queryKey: ['accounts'] })
      props.onCreated(account.account_id)
      props.onClose()
    },
  })
  return (
    <Dialog title="New account" onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ name: name.trim(), tier: tier.trim() })
        }}
      >
        <Field label="Name">
          {(id) => (
            <input
              id={id}
              required
              maxLength={200}
              autocomplete="off"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <TierField tier={tier} onChange={setTier} />
        {create.error ? <Problem error={create.error} /> : null}
        <footer class="dialog-foot">
          <button type="button" class="button" onClick={props.onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={create.isPending}>
            Create account
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

const Accounts = ({ admin }: { readonly admin: Admin }) => {
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const [open, setOpen] = useState<'account' | 'tier' | undefined>(undefined)
  const accounts = useQuery({ queryKey: ['accounts'], queryFn: () => admin.accounts.list(), refetchInterval: 10_000 })
  const account = accounts.data?.find(({ account_id: id }) => id === chosen) ?? accounts.data?.[0]
  const accountId = account?.account_id ?? ''
  const usage = useQuery({
    queryKey: ['usage', accountId],
    queryFn: () => admin.accounts.usage(accountId),
    enabled: accountId !== '',
    refetchInterval: 5_000,
  })
  if (accounts.error) return <Problem error={accounts.error} retry={() => void accounts.refetch()} />
  if (!accounts.data) return <Skeleton rows={6} />
  return (
    <>
      <div class="toolbar">
        <label class="inline">
          Account
          <select value={accountId} onChange={(event) => setChosen(event.currentTarget.value)}>
            {accounts.data.map((each) => (
              <option key={each.account_id} value={each.account_id}>
                {each.name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="button" onClick={() => setOpen('account')}>
          New account
        </button>
      </div>
      {account ? (
        <>
          <section aria-labelledby="usage-heading">
            <header class="section-head">
              <h2 id="usage-heading">Usage</h2>
              <Badge tone={account.status === 'active' ? 'good' : 'bad'}>{account.tier}</Badge>
              <button type="button" class="button small" onClick={() => setOpen('tier')}>
                Change tier
              </button>
            </header>
            {usage.error ? <Problem error={usage.error} retry={() => void usage.refetch()} /> : null}
            {usage.isPending ? <Skeleton rows={3} /> : null}
            {usage.data ? <UsageView usage={usage.data} /> : null}
          </section>
          <KeyTable key={accountId} admin={admin} accountId={accountId} />
          <UsageHistory account={accountId} load={(by) => admin.accounts.usage(accountId, { by })} />
        </>
      ) : (
        <Empty title="No accounts yet" />
      )}
      {open === 'account' ? (
        <CreateAccountDialog admin={admin} onClose={() => setOpen(undefined)} onCreated={setChosen} />
      ) : null}
      {open === 'tier' && account ? (
        <TierDialog admin={admin} account={account} onClose={() => setOpen(undefined)} />
      ) : null}
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
      <AdminGate why="Accounts, keys and limits are managed with the admin key.">
        {(admin) => <Accounts admin={admin} />}
      </AdminGate>
      {isOperator ? null : <UsageHistory account="own" load={(by) => api.usage({ by })} />}
    </>
  )
}
