import { limits, type Namespace } from '@cairn/client'
import { useState } from 'preact/hooks'
import { FormDialog } from '../dialog.tsx'
import { Choice, TextField } from '../form.tsx'
import { useInvalidate } from '../queries.ts'
import { go } from '../router.ts'
import { useApi } from '../session.ts'
import { type NamespaceForm, namespaceBody } from './namespace-form.ts'

const types: Readonly<Record<Namespace['type'], readonly [string, string]>> = {
  text: ['Text', 'Documents and files, searched by meaning and by words'],
  vector: ['Vector', 'Vectors that you compute, all of one dimension'],
}

type FieldsProps = { readonly form: NamespaceForm; readonly onChange: (part: Partial<NamespaceForm>) => void }

const NamespaceFields = ({ form, onChange }: FieldsProps) => (
  <>
    <TextField
      label="Name"
      hint="Letters, digits, hyphens and underscores."
      required
      maxLength={limits.namespaceNameLength}
      pattern="[A-Za-z0-9_\-]+"
      spellcheck={false}
      value={form.name}
      onText={(name) => onChange({ name })}
    />
    <Choice legend="Type" type="radio" options={types} chosen={[form.type]} onChange={(type) => onChange({ type })} />
    {form.type === 'text' ? (
      <TextField
        label="Model"
        hint="Leave empty for the server default. Enter lexical for keyword search only."
        spellcheck={false}
        value={form.model}
        onText={(model) => onChange({ model })}
      />
    ) : (
      <TextField
        label="Dimension"
        type="number"
        min={1}
        required
        value={form.dimension}
        onText={(dimension) => onChange({ dimension })}
      />
    )}
  </>
)

export const CreateNamespaceDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const api = useApi()
  const invalidate = useInvalidate()
  const [form, setForm] = useState<NamespaceForm>({ name: '', type: 'text', model: '', dimension: '384' })
  const create = async () => {
    const { namespace_name: name, ...kind } = namespaceBody(form)
    await api.namespaces.create(name, kind)
    await invalidate(['namespaces'])
    go('namespaces', name)
  }
  return (
    <FormDialog title="New namespace" action="Create" run={create} onClose={onClose}>
      <NamespaceFields form={form} onChange={(part) => setForm((before) => ({ ...before, ...part }))} />
    </FormDialog>
  )
}
