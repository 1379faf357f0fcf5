import type { ApiKey } from '@cairn/client'
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Confirm } from '../dialog.tsx'
import { age, dateTime } from '../format.ts'
import { Badge, Button, Empty, QueryStatus, Section, Table, type Tone } from '../parts.tsx'
import { useInvalidate } from '../queries.ts'
import { useAdmin } from '../session.ts'
import { CreateKeyDialog } from './dialogs.tsx'

const tones: Readonly<Record<ApiKey['state'], Tone>> = {
  active: 'good',
  inactive: 'neutral',
  disabled: 'neutral',
  revoked: 'bad',
  expired: 'bad',
}

const KeyRow = ({ apiKey: key, onRevoke }: { readonly apiKey: ApiKey; readonly onRevoke: () => void }) => (
  <tr>
    <th scope="row" class="breakable">
      {key.name}
      <span class="mono muted key-id">{key.key_id}</span>
    </th>
    <td data-label="Scopes">{key.scopes.join(', ')}</td>
    <td data-label="State">
      <Badge tone={tones[key.state]}>{key.state}</Badge>
    </td>
    <td data-label="Last used" class="muted" title={key.last_used_at ? dateTime(key.last_used_at) : undefined}>
      {key.last_used_at ? age(key.last_used_at) : 'never'}
    </td>
    <td class="actions">
      {key.state === 'revoked' ? null : <Button label="Revoke" small look="quiet" of={key.name} onClick={onRevoke} />}
    </td>
  </tr>
)

export const KeyTable = ({ accountId }: { readonly accountId: string }) => {
  const admin = useAdmin()
  const invalidate = useInvalidate()
  const [isCreating, setCreating] = useState(false)
  const [toRevoke, setToRevoke] = useState<ApiKey | undefined>(undefined)
  const keys = useQuery({
    queryKey: ['keys', accountId],
    queryFn: () => admin.keys.list(accountId),
    refetchInterval: 10_000,
  })
  const revoke = async ({ key_id: id }: ApiKey) => {
    await admin.keys.setState(id, 'revoked')
    setToRevoke(undefined)
    await invalidate(['keys', accountId])
  }
  const newKey = <Button label="New key" look="primary" onClick={() => setCreating(true)} />
  return (
    <Section heading="API keys" beside={newKey}>
      <QueryStatus query={keys} rows={3} />
      {keys.data?.length === 0 ? <Empty title="No keys yet" /> : null}
      {keys.data?.length ? (
        <Table columns={['Name', 'Scopes', 'State', 'Last used', '']}>
          {keys.data.map((key) => (
            <KeyRow key={key.key_id} apiKey={key} onRevoke={() => setToRevoke(key)} />
          ))}
        </Table>
      ) : null}
      {isCreating ? <CreateKeyDialog accountId={accountId} onClose={() => setCreating(false)} /> : null}
      {toRevoke ? (
        <Confirm
          title={`Revoke ${toRevoke.name}?`}
          action="Revoke key"
          run={() => revoke(toRevoke)}
          onClose={() => setToRevoke(undefined)}
        >
          <p>It is rejected everywhere within five seconds. This cannot be undone.</p>
        </Confirm>
      ) : null}
    </Section>
  )
}
