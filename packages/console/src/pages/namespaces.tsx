import type { CreateNamespace, Namespace } from '@cairn/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { age, dateTime, number } from '../format.ts'
import { Badge, Code, Confirm, Dialog, Empty, Field, Problem, Skeleton } from '../parts.tsx'
import { go, routeTo } from '../router.ts'
import { idleMs, useApi } from '../session.ts'

const curlLines = () => {
  const json = `-H 'content-type: application/json' -d`
  return [
    `curl ${location.origin}/v1/namespaces -H "x-api-key: $KEY" \\`,
    `  ${json} '{"namespace_name":"notes","type":"text"}'`,
    `curl ${location.origin}/v1/namespaces/notes/documents -H "x-api-key: $KEY" \\`,
    `  ${json} '{"documents":[{"id":"1","text":"Cairns mark a path."}]}'`,
  ].join('\n')
}

const CreateDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [type, setType] = useState<'text' | 'vector'>('text')
  const [model, setModel] = useState('')
  const [dimension, setDimension] = useState('384')
  // Values are passed to a mutation, not closed over: it would see those of the last but one rendering.
  const create = useMutation({
    mutationFn: ({ namespace_name, ...kind }: CreateNamespace) => api.namespaces.create(namespace_name, kind),
    onSuccess: async (_, body) => {
      await queries.invalidateQueries({ queryKey: ['namespaces'] })
      go('namespaces', body.namespace_name)
    },
  })
  const bodyOf = (): CreateNamespace => {
    const namespace_name = name.trim()
    if (type === 'vector') return { namespace_name, type, vector_dimension: Number(dimension) }
    return { namespace_name, type, ...(model.trim() ? { model: model.trim() } : {}) }
  }
  return (
    <Dialog title="New namespace" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(bodyOf())
        }}
      >
        <Field label="Name" hint="Letters, digits, hyphens and underscores.">
          {(id, describedBy) => (
            <input
              id={id}
              aria-describedby={describedBy}
              required
              maxLength={128}
              pattern="[A-Za-z0-9_\-]+"
              autocomplete="off"
              spellcheck={false}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <fieldset class="choice">
          <legend>Type</legend>
          <label>
            <input type="radio" name="type" checked={type === 'text'} onChange={() => setType('text')} />
            <span>
              <strong>Text</strong>
              Documents and files, found by meaning and by words
            </span>
          </label>
          <label>
            <input type="radio" name="type" checked={type === 'vector'} onChange={() => setType('vector')} />
            <span>
              <strong>Vector</strong>
              Your own vectors of a fixed dimension
            </span>
          </label>
        </fieldset>
        {type === 'text' ? (
          <Field label="Model" hint="Empty: the current model of the server. lexical: words only, without a model.">
            {(id, describedBy) => (
              <input
                id={id}
                aria-describedby={describedBy}
                autocomplete="off"
                spellcheck={false}
                value={model}
                onInput={(event) => setModel(event.currentTarget.value)}
              />
            )}
          </Field>
        ) : (
          <Field label="Dimension">
            {(id) => (
              <input
                id={id}
                type="number"
                min={1}
                required
                value={dimension}
                onInput={(event) => setDimension(event.currentTarget.value)}
              />
            )}
          </Field>
        )}
        {create.error ? <Problem error={create.error} /> : null}
        <footer class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={create.isPending}>
            Create
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** A deletion that was accepted. */
type Deletion = { readonly id: string; readonly name: string; readonly startedAt: string; readonly estimatedAt: string }

const DeleteDialog = (props: {
  readonly namespace: Namespace
  readonly onClose: () => void
  readonly onDeleted: (deletion: Deletion) => void
}) => {
  const api = useApi()
  const queries = useQueryClient()
  const { namespace_name: name, item_count: count } = props.namespace
  const remove = useMutation({
    mutationFn: () => api.namespaces.delete(name),
    onSuccess: async (answer) => {
      props.onDeleted({
        id: answer.deletion_id,
        name,
        startedAt: answer.deletion_started_at,
        estimatedAt: answer.estimated_completion,
      })
      props.onClose()
      await queries.invalidateQueries({ queryKey: ['namespaces'] })
    },
  })
  return (
    <Confirm
      title={`Delete ${name}?`}
      action="Delete namespace"
      typed={name}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={props.onClose}
    >
      <p>All its items ({number(count)}) and files are removed. This cannot be undone.</p>
    </Confirm>
  )
}

const Deleting = ({ id, name, startedAt, estimatedAt }: Deletion) => {
  const api = useApi()
  const deletion = useQuery({
    queryKey: ['deletion', id],
    queryFn: () => api.namespaces.deletion(id),
    refetchInterval: ({ state }) => (state.data?.finished_at ? false : 1_000),
  })
  const state = deletion.data?.state
  if (state === 'completed')
    return (
      <li>
        <span>
          <strong>{name}</strong> is deleted. Its name is free again.
        </span>
      </li>
    )
  if (state === 'failed')
    return (
      <li>
        <span>
          The deletion of <strong>{name}</strong> failed; the log of the server has the reason.
        </span>
      </li>
    )
  const expectedAt = deletion.data?.estimated_completion ?? estimatedAt
  const total = Math.max(1, Date.parse(expectedAt) - Date.parse(startedAt))
  // Its end is known only when it is reached.
  const done = Math.min(0.95, Math.max(0, (Date.now() - Date.parse(startedAt)) / total))
  return (
    <li>
      <span>
        Deleting <strong>{name}</strong>. Its name is free again at about{' '}
        {new Date(expectedAt).toLocaleTimeString('en')}.
      </span>
      <progress value={done} aria-label={`Deletion of ${name}, estimated`} />
    </li>
  )
}

const Row = (props: { readonly namespace: Namespace; readonly onDelete: () => void }) => {
  const {
    namespace_name: name,
    type,
    vector_dimension: dimension,
    model,
    item_count: count,
    created_at: at,
  } = props.namespace
  return (
    <tr>
      <th scope="row">
        <a href={routeTo('namespaces', name)}>{name}</a>
      </th>
      <td data-label="Type">
        <Badge>{type}</Badge>
      </td>
      <td data-label="Model" class="mono muted">
        {model ?? `${dimension} dimensions`}
      </td>
      <td data-label="Items" class="numeric">
        {number(count)}
      </td>
      <td data-label="Created" class="muted" title={dateTime(at)}>
        {age(at)}
      </td>
      <td class="actions">
        <button type="button" class="button quiet small" onClick={props.onDelete}>
          Delete<span class="visually-hidden"> {name}</span>
        </button>
      </td>
    </tr>
  )
}

export const Namespaces = () => {
  const api = useApi()
  const [isCreating, setCreating] = useState(false)
  const [toDelete, setToDelete] = useState<Namespace | undefined>(undefined)
  const [deletions, setDeletions] = useState<readonly Deletion[]>([])
  const list = useQuery({
    queryKey: ['namespaces'],
    queryFn: () => api.namespaces.list(),
    refetchInterval: idleMs,
  })
  return (
    <>
      <header class="page-head">
        <h1>Namespaces</h1>
        <button type="button" class="button primary" onClick={() => setCreating(true)}>
          New namespace
        </button>
      </header>
      {deletions.length > 0 ? (
        <ul class="deletions" aria-label="Deletions">
          {deletions.map((deletion) => (
            <Deleting key={deletion.id} {...deletion} />
          ))}
        </ul>
      ) : null}
      {list.error ? <Problem error={list.error} retry={() => void list.refetch()} /> : null}
      {list.isPending ? <Skeleton /> : null}
      {list.data?.length === 0 ? (
        <Empty title="No namespaces yet">
          <p>A namespace holds documents and files that are searched together. Create one here, or with curl:</p>
          <Code text={curlLines()} label="First requests" />
        </Empty>
      ) : null}
      {list.data && list.data.length > 0 ? (
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              <th scope="col">Model</th>
              <th scope="col" class="numeric">
                Items
              </th>
              <th scope="col">Created</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {list.data.map((namespace) => (
              <Row key={namespace.namespace_name} namespace={namespace} onDelete={() => setToDelete(namespace)} />
            ))}
          </tbody>
        </table>
      ) : null}
      {isCreating ? <CreateDialog onClose={() => setCreating(false)} /> : null}
      {toDelete ? (
        <DeleteDialog
          namespace={toDelete}
          onClose={() => setToDelete(undefined)}
          onDeleted={(deletion) => setDeletions([...deletions, deletion])}
        />
      ) : null}
    </>
  )
}
