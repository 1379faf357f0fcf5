import type { FileMetadata, FileStatus } from '@cairn/client'
import { useState } from 'preact/hooks'
import { DialogForm } from '../dialog.tsx'
import { Field } from '../form.tsx'
import { Button, Metadata } from '../parts.tsx'
import { useInvalidate } from '../queries.ts'
import { useApi } from '../session.ts'

const parse = (text: string): FileMetadata => {
  try {
    return JSON.parse(text || '{}') as FileMetadata
  } catch {
    throw new Error('The metadata are not JSON: use an object, such as {"team": "sales"}.')
  }
}

export const FileMetadataView = ({ status }: { readonly status: FileStatus }) => {
  const { namespace, file_name: name, metadata = {} } = status
  const api = useApi()
  const invalidate = useInvalidate()
  const [text, setText] = useState<string>()
  const save = async () => {
    await api.files.update(namespace, name, { metadata: parse(text ?? '') })
    await invalidate(['file', namespace, name])
    setText(undefined)
  }
  return (
    <>
      <h3>Metadata</h3>
      {text === undefined ? (
        <>
          <Metadata value={metadata} />
          <Button label="Edit metadata" writes small onClick={() => setText(JSON.stringify(metadata, null, 2))} />
        </>
      ) : (
        <DialogForm action="Save metadata" run={save} onClose={() => setText(undefined)}>
          <Field
            label="Metadata as JSON"
            hint="Filters find every chunk of the file by it. The file is not read again."
          >
            {(id, describedBy) => (
              <textarea
                id={id}
                aria-describedby={describedBy}
                class="mono"
                rows={6}
                spellcheck={false}
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            )}
          </Field>
        </DialogForm>
      )}
    </>
  )
}
