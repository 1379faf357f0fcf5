import type { Account, ApiKey, Tier } from '@cairn/client'
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Dialog, DialogForm, FormDialog } from '../dialog.tsx'
import { Choice, Field, Select, TextField } from '../form.tsx'
import { number } from '../format.ts'
import { toggle } from '../list-changes.ts'
import { Button, Code, QueryStatus } from '../parts.tsx'
import { useInvalidate } from '../queries.ts'
import { useAdmin } from '../session.ts'

type FieldProps = { readonly value: string; readonly onText: (text: string) => void }

const NameField = (props: FieldProps) => <TextField label="Name" required maxLength={200} {...props} />

const describeTier = ({ namespaces, documents, requests }: Tier): string => {
  const upTo = (limit: number | null, noun: string) =>
    limit === null ? `unlimited ${noun}` : `${number(limit)} ${noun}`
  return `Limits: ${upTo(namespaces, 'namespaces')}, ${upTo(documents, 'documents')}, ${upTo(requests, 'requests a month')}.`
}

const TierField = ({ value, onText }: FieldProps) => {
  const admin = useAdmin()
  const tiers = useQuery({ queryKey: ['tiers'], queryFn: () => admin.tiers.list(), staleTime: 60_000 })
  const chosen = tiers.data?.find(({ name }) => name === value)
  const options = Object.fromEntries((tiers.data ?? []).map(({ name }) => [name, name]))
  return (
    <>
      <QueryStatus query={tiers} rows={1} />
      <Field label="Tier" hint={chosen && describeTier(chosen)}>
        {(id, describedBy) => (
          <Select id={id} aria-describedby={describedBy} options={options} value={value} onValue={onText} />
        )}
      </Field>
    </>
  )
}

type Props = { readonly onClose: () => void }

export const TierDialog = ({ account, onClose }: Props & { readonly account: Account }) => {
  const admin = useAdmin()
  const invalidate = useInvalidate()
  const [tier, setTier] = useState(account.tier)
  const change = async () => {
    await admin.accounts.update(account.account_id, { tier })
    await invalidate(['accounts'], ['usage', account.account_id])
    onClose()
  }
  return (
    <FormDialog title="Change tier" action="Save" run={change} onClose={onClose}>
      <TierField value={tier} onText={setTier} />
    </FormDialog>
  )
}

type CreateAccountProps = Props & { readonly onCreated: (id: string) => void }
export const CreateAccountDialog = ({ onClose, onCreated }: CreateAccountProps) => {
  const admin = useAdmin()
  const invalidate = useInvalidate()
  const [name, setName] = useState('')
  const [tier, setTier] = useState('community')
  const create = async () => {
    const account = await admin.accounts.create(name.trim(), tier)
    await invalidate(['accounts'])
    onCreated(account.account_id)
    onClose()
  }
  return (
    <FormDialog title="New account" action="Create account" run={create} onClose={onClose}>
      <NameField value={name} onText={setName} />
      <TierField value={tier} onText={setTier} />
    </FormDialog>
  )
}

type Scope = ApiKey['scopes'][number]

const scopes: Readonly<Record<Scope, readonly [string, string]>> = {
  read: ['read', 'Search and read'],
  write: ['write', 'Upload and delete items, create namespaces'],
  admin: ['admin', 'Delete namespaces, change their model, extract files again'],
}

export const CreateKeyDialog = ({ accountId, onClose }: Props & { readonly accountId: string }) => {
  const admin = useAdmin()
  const invalidate = useInvalidate()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly Scope[]>(['read', 'write'])
  const [created, setCreated] = useState<string | undefined>(undefined)
  const create = async () => {
    const key = await admin.keys.create(accountId, { name: name.trim(), scopes: [...chosen] })
    setCreated(key.api_key)
    await invalidate(['keys', accountId])
  }
  return (
    <Dialog title={created ? 'The key was created' : 'New API key'} onClose={onClose}>
      {created ? (
        <>
          <p>Copy it now. It is shown only once, because the server stores only a hash of it.</p>
          <Code text={created} label="API key" />
          <footer class="dialog-foot">
            <Button label="Done" look="primary" onClick={onClose} />
          </footer>
        </>
      ) : (
        <DialogForm action="Create key" disabled={chosen.length === 0} run={create} onClose={onClose}>
          <NameField value={name} onText={setName} />
          <Choice
            legend="Scopes"
            type="checkbox"
            options={scopes}
            chosen={chosen}
            onChange={(scope, isChosen) => setChosen(toggle(chosen, scope, isChosen))}
          />
        </DialogForm>
      )}
    </Dialog>
  )
}
