import { useMutation } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { TextField } from './form.tsx'
import { Button, Problem } from './parts.tsx'

type DialogProps = {
  readonly title: string
  readonly onClose: () => void
  readonly wide?: boolean
  readonly children: ComponentChildren
}
/** A modal dialog: the browser keeps the focus inside and closes the dialog on Escape. */
export const Dialog = ({ title, onClose, wide = false, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    element.current?.showModal()
    // By default the browser focuses the first control, which is the close button.
    element.current?.querySelector<HTMLElement>('form :is(input, textarea)')?.focus()
  }, [])
  return (
    <dialog
      ref={element}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => (event.target === element.current ? element.current?.close() : undefined)}
      onKeyDown={() => undefined}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <Button label="×" look="quiet" aria-label="Close" onClick={() => element.current?.close()} />
        </header>
        {children}
      </div>
    </dialog>
  )
}

type DialogFormProps = {
  readonly action: string
  readonly look?: 'primary' | 'danger'
  readonly disabled?: boolean
  readonly run: () => Promise<unknown>
  readonly onClose: () => void
  readonly children: ComponentChildren
}
export const DialogForm = ({ action, look = 'primary', disabled, run, onClose, children }: DialogFormProps) => {
  // Passed as an argument: a captured `run` would come from an earlier rendering.
  const { mutate, isPending, error } = useMutation({ mutationFn: (work: () => Promise<unknown>) => work() })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        mutate(run)
      }}
    >
      {children}
      {error ? <Problem error={error} /> : null}
      <footer class="dialog-foot">
        <Button label="Cancel" onClick={onClose} />
        <Button label={action} type="submit" look={look} disabled={isPending || disabled} />
      </footer>
    </form>
  )
}

type FormDialogProps = DialogFormProps & { readonly title: string }
export const FormDialog = ({ title, ...form }: FormDialogProps) => (
  <Dialog title={title} onClose={form.onClose}>
    <DialogForm {...form} />
  </Dialog>
)

/** Asks for confirmation; `typed`: text that the user must type first. */
export const Confirm = ({ typed, children, ...dialog }: FormDialogProps & { readonly typed?: string }) => {
  const [text, setText] = useState('')
  return (
    <FormDialog look="danger" disabled={typed !== undefined && text !== typed} {...dialog}>
      {children}
      {typed === undefined ? null : (
        <TextField label={`Type ${typed} to confirm`} spellcheck={false} value={text} onText={setText} />
      )}
    </FormDialog>
  )
}
