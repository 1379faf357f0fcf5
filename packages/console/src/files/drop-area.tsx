import { fileExtensions } from '@cairn/client'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Button } from '../parts.tsx'
import { useCanWrite } from '../session.ts'

type PickerProps = {
  readonly label: string
  readonly field: string
  readonly accept: string
  readonly multiple?: boolean
  readonly onFiles: (files: readonly File[]) => void
}
export const FilePicker = ({ label, field, accept, multiple = false, onFiles }: PickerProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button label={label} writes small onClick={() => input.current?.click()} />
      <input
        ref={input}
        hidden
        type="file"
        multiple={multiple}
        accept={accept}
        aria-label={field}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

type Props = {
  readonly namespace: string
  readonly onFiles: (files: readonly File[]) => void
  readonly children: ComponentChildren
}

export const DropArea = ({ namespace, onFiles, children }: Props) => {
  const [isOver, setOver] = useState(false)
  const canWrite = useCanWrite()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can also be chosen by a button
    <div
      class="drop"
      onDragOver={(event) => {
        if (!canWrite || !event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) =>
        event.currentTarget.contains(event.relatedTarget as Node | null) ? undefined : setOver(false)
      }
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const files = [...(event.dataTransfer?.files ?? [])]
        if (canWrite && files.length > 0) onFiles(files)
      }}
    >
      {children}
      {isOver ? <div class="drop-over">Drop files to add them to {namespace}</div> : null}
    </div>
  )
}

export const DropZone = ({ onFiles }: Pick<Props, 'onFiles'>) => (
  <div class="drop-zone">
    <p>
      <strong>Drag files onto this page</strong>{' '}
      <span class="muted">{fileExtensions.map((extension) => extension.slice(1)).join(', ')}</span>
    </p>
    <FilePicker
      label="Choose files"
      field="Files to upload"
      accept={fileExtensions.join()}
      multiple
      onFiles={onFiles}
    />
  </div>
)
