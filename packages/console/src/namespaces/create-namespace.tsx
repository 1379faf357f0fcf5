import { limits, type Model, type Namespace } from '@cairn/client'
import { useState } from 'preact/hooks'
import { FormDialog } from '../dialog.tsx'
import { Choice, TextField } from '../form.tsx'
import { ModelSelect, useModels } from '../models.tsx'
import { QueryStatus } from '../parts.tsx'
import { useInvalidate } from '../queries.ts'
import { goTo, routeTo } from '../router.ts'
import { useApi } from '../session.ts'
import { LanguageSelect } from './language-select.tsx'
import { type NamespaceForm, namespaceBody } from './namespace-form.ts'

const types: Readonly<Record<Namespace['type'], readonly [string, string]>> = {
  text: ['Text', 'Documents and files, searched by meaning and by words'],
  vector: ['Vector', 'Vectors that you compute, all of one dimension'],
}

const nameRule = 'Letters, digits, hyphens and underscores.'

type FieldsProps = {
  readonly form: NamespaceForm
  readonly models: readonly Model[]
  readonly onChange: (part: Partial<NamespaceForm>) => void
}

const NamespaceFields = ({ form, models, onChange }: FieldsProps) => (
  <>
    <TextField
      label="Name"
      hint={nameRule}
      rule={nameRule}
      required
      maxLength={limits.namespaceNameLength}
      pattern="[A-Za-z0-9_\-]+"
      spellcheck={false}
      value={form.name}
      onText={(name) => onChange({ name })}
    />
    <Choice legend="Type" type="radio" options={types} chosen={[form.type]} onChange={(type) => onChange({ type })} />
    {form.type === 'text' ? (
      <>
        <ModelSelect
          label="Model"
          models={models}
          value={form.model || (models.find((model) => model.is_default)?.name ?? '')}
          onValue={(model) => onChange({ model })}
        />
        <LanguageSelect value={form.language} onValue={(language) => onChange({ language })} />
      </>
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
  const [form, setForm] = useState<NamespaceForm>({
    name: '',
    type: 'text',
    model: '',
    language: 'en',
    dimension: '384',
  })
  const models = useModels()
  const create = async () => {
    const { namespace_name: name, ...kind } = namespaceBody(form)
    await api.namespaces.create(name, kind)
    await invalidate(['namespaces'])
    goTo(routeTo('namespaces', name))
  }
  return (
    <FormDialog title="New namespace" action="Create" run={create} onClose={onClose}>
      <QueryStatus query={models} rows={1} />
      <NamespaceFields
        form={form}
        models={models.data ?? []}
        onChange={(part) => setForm((before) => ({ ...before, ...part }))}
      />
    </FormDialog>
  )
}
