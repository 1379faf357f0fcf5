import type { Namespace, NamespaceDeleting } from '@cairn/client'
import { useState } from 'preact/hooks'
import { Confirm } from '../dialog.tsx'
import { age, dateTime, number } from '../format.ts'
import { CreateNamespaceDialog } from '../namespaces/create-namespace.tsx'
import { DeletionProgress } from '../namespaces/deletion-progress.tsx'
import { QuickStart } from '../namespaces/quick-start.tsx'
import { useNamespaces } from '../namespaces/use-namespaces.ts'
import { Badge, Button, Empty, QueryStatus, Table } from '../parts.tsx'
import { useInvalidate } from '../queries.ts'
import { routeTo } from '../router.ts'
import { useApi } from '../session.ts'

const Row = ({ namespace, onDelete }: { readonly namespace: Namespace; readonly onDelete: () => void }) => {
  const { namespace_name: name, created_at: at } = namespace
  return (
    <tr>
      <th scope="row">
        <a href={routeTo('namespaces', name)}>{name}</a>
      </th>
      <td data-label="Type">
        <Badge>{namespace.type}</Badge>
      </td>
      <td data-label="Model" class="mono muted">
        {namespace.model ?? `${namespace.vector_dimension} dimensions`}
      </td>
      <td data-label="Items" class="numeric">
        {number(namespace.item_count)}
      </td>
      <td data-label="Created" class="muted" title={dateTime(at)}>
        {age(at)}
      </td>
      <td class="actions">
        <Button label="Delete" writes small look="quiet" of={name} onClick={onDelete} />
      </td>
    </tr>
  )
}

type DeleteProps = {
  readonly namespace: Namespace
  readonly onClose: () => void
  readonly onDeleting: (deletion: NamespaceDeleting) => void
}
const DeleteDialog = ({ namespace: { namespace_name: name, item_count: count }, onClose, onDeleting }: DeleteProps) => {
  const api = useApi()
  const invalidate = useInvalidate()
  const remove = async () => {
    onDeleting(await api.namespaces.delete(name))
    onClose()
    await invalidate(['namespaces'])
  }
  return (
    <Confirm title={`Delete ${name}?`} action="Delete namespace" typed={name} run={remove} onClose={onClose}>
      <p>All its items ({number(count)}) and files are removed. This cannot be undone.</p>
    </Confirm>
  )
}

export const Namespaces = () => {
  const [isCreating, setCreating] = useState(false)
  const [toDelete, setToDelete] = useState<Namespace | undefined>(undefined)
  const [deletions, setDeletions] = useState<readonly NamespaceDeleting[]>([])
  const list = useNamespaces()
  return (
    <>
      <header class="page-head">
        <h1>Namespaces</h1>
        <Button label="New namespace" writes look="primary" onClick={() => setCreating(true)} />
      </header>
      {deletions.length > 0 ? (
        <ul class="deletions" aria-label="Deletions">
          {deletions.map((deletion) => (
            <DeletionProgress key={deletion.deletion_id} deletion={deletion} />
          ))}
        </ul>
      ) : null}
      <QueryStatus query={list} />
      {list.data?.length === 0 ? (
        <Empty title="No namespaces yet">
          <p>A namespace holds documents and files that are searched together. Create one here, or by a program:</p>
          <QuickStart />
        </Empty>
      ) : null}
      {list.data?.length ? (
        <Table columns={['Name', 'Type', 'Model', 'Items', 'Created', '']} numeric={['Items']}>
          {list.data.map((namespace) => (
            <Row key={namespace.namespace_name} namespace={namespace} onDelete={() => setToDelete(namespace)} />
          ))}
        </Table>
      ) : null}
      {isCreating ? <CreateNamespaceDialog onClose={() => setCreating(false)} /> : null}
      {toDelete ? (
        <DeleteDialog
          namespace={toDelete}
          onClose={() => setToDelete(undefined)}
          onDeleting={(deletion) => setDeletions([...deletions, deletion])}
        />
      ) : null}
    </>
  )
}
