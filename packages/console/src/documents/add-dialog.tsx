import type { SentDocument, SentId } from '@cairn/client'
import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { Dialog, DialogForm } from '../dialog.tsx'
import { Field, TextField } from '../form.tsx'
import { changeAt } from '../list-changes.ts'
import { Badge, Button, Problem } from '../parts.tsx'
import { useApi } from '../session.ts'
import { documentOf, type MetadataPair, uploadBadge } from './document-form.ts'

type Pairs = readonly MetadataPair[]

const MetadataPairs = ({ pairs, onChange }: { readonly pairs: Pairs; readonly onChange: (pairs: Pairs) => void }) => (
  <>
    {pairs.map(({ name, value }, index) => (
      <div class="pair" key={String(index)}>
        <input
          aria-label={`Metadata key ${index + 1}`}
          value={name}
          onInput={(event) => onChange(changeAt(pairs, index, { name: event.currentTarget.value }))}
        />
        <input
          aria-label={`Metadata value ${index + 1}`}
          placeholder="value"
          value={value}
          onInput={(event) => onChange(changeAt(pairs, index, { value: event.currentTarget.value }))}
        />
      </div>
    ))}
    <Button label="Add metadata" small onClick={() => onChange([...pairs, { name: '', value: '' }])} />
  </>
)

type FormProps = { readonly onAdd: (document: SentDocument) => Promise<void>; readonly onClose: () => void }

const AddForm = ({ onAdd, onClose }: FormProps) => {
  const [id, setId] = useState(() => crypto.randomUUID?.().slice(0, 8) ?? String(Date.now()))
  const [text, setText] = useState('')
  const [pairs, setPairs] = useState<Pairs>([{ name: 'source', value: '' }])
  return (
    <DialogForm action="Add document" run={() => onAdd(documentOf(id, text, pairs))} onClose={onClose}>
      <Field label="Text">
        {(field) => (
          <textarea id={field} rows={8} required value={text} onInput={(event) => setText(event.currentTarget.value)} />
        )}
      </Field>
      <TextField label="Id" hint="An existing document with this id is replaced." required value={id} onText={setId} />
      <MetadataPairs pairs={pairs} onChange={setPairs} />
    </DialogForm>
  )
}

type Added = { readonly id: SentId; readonly uploadId: string }
type AddedProps = { readonly namespace: string; readonly added: Added; readonly onClose: () => void }

const AddedDocument = ({ namespace, added: { id, uploadId }, onClose }: AddedProps) => {
  const api = useApi()
  const queries = useQueryClient()
  const upload = useQuery({
    queryKey: ['upload', namespace, uploadId],
    queryFn: () => api.uploads.get(namespace, uploadId),
    refetchInterval: ({ state }) => (state.data?.finished_at ? false : 300),
  })
  const isDone = upload.data?.finished_at != null
  useEffect(() => {
    if (!isDone) return
    void queries.resetQueries({ queryKey: ['documents', namespace] })
    void queries.invalidateQueries({ queryKey: ['namespaces'] })
  }, [isDone, queries, namespace])
  const { tone, label } = uploadBadge(upload.data)
  const message = upload.data?.documents[0]?.message
  return (
    <div aria-live="polite">
      {upload.error ? <Problem error={upload.error} /> : null}
      <p>
        <Badge tone={tone}>{label}</Badge> <span class="mono breakable">{id}</span>
      </p>
      {message ? <p>{message}</p> : null}
      <footer class="dialog-foot">
        <Button label="Close" look="primary" onClick={onClose} />
      </footer>
    </div>
  )
}

export const AddDialog = ({ namespace, onClose }: { readonly namespace: string; readonly onClose: () => void }) => {
  const api = useApi()
  const [added, setAdded] = useState<Added | undefined>(undefined)
  const add = async (document: SentDocument) => {
    const { failed, uploads } = await api.documents.upload(namespace, [document])
    if (failed[0]) throw new Error(failed[0].message)
    if (uploads[0]) setAdded({ id: document.id, uploadId: uploads[0] })
  }
  return (
    <Dialog title="Paste text" onClose={onClose}>
      {added ? (
        <AddedDocument namespace={namespace} added={added} onClose={onClose} />
      ) : (
        <AddForm onAdd={add} onClose={onClose} />
      )}
    </Dialog>
  )
}
