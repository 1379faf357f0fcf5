import { fileExtensions } from '@cairn/client'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'

type Props = { readonly onFiles: (files: readonly File[]) => void; readonly children: ComponentChildren }

/** Area with the files of a namespace, onto which new files can be dropped. */
export const DropArea = ({ onFiles, children }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    <section
      aria-label="Files"
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) =>
        event.currentTarget.contains(event.relatedTarget as Node | null) ? undefined : setOver(false)
      }
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onFiles([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <div class="drop-zone">
        <p>
          <strong>Drag files here</strong> or{' '}
          <button type="button" class="link" onClick={() => input.current?.click()}>
            choose files
          </button>
        </p>
        <p class="muted">{fileExtensions.map((extension) => extension.slice(1)).join(', ')}</p>
        <input
          ref={input}
          hidden
          type="file"
          multiple
          accept={fileExtensions.join()}
          aria-label="Files to upload"
          onChange={(event) => {
            onFiles([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
      </div>
      {children}
    </section>
  )
}
