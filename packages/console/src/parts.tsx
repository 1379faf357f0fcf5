import { CairnError } from '@cairn/client'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

const suggestionOf = (error: unknown): string | undefined =>
  error instanceof CairnError ? (error.body as { readonly suggestion?: string } | undefined)?.suggestion : undefined

export const Problem = ({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) => (
  <div class="problem" role="alert">
    <div>
      <strong>{error instanceof Error ? error.message : String(error)}</strong>
      {suggestionOf(error) ? <p>{suggestionOf(error)}</p> : null}
    </div>
    {retry ? (
      <button type="button" class="button small" onClick={retry}>
        Try again
      </button>
    ) : null}
  </div>
)

/** Rows of the height of those that are loading, so that nothing moves when they arrive. */
export const Skeleton = ({ rows = 4 }: { readonly rows?: number }) => (
  <div class="skeleton" role="status">
    <span class="visually-hidden">Loading</span>
    {Array.from({ length: rows }, (_, index) => (
      <div key={index} class="skeleton-row" />
    ))}
  </div>
)

export const Empty = (props: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <Stones />
    <h2>{props.title}</h2>
    {props.children}
  </div>
)

export const Stones = () => (
  <svg class="stones" viewBox="0 0 32 32" aria-hidden="true">
    <ellipse cx="16" cy="25" rx="12" ry="5" class="stone-1" />
    <ellipse cx="16.5" cy="16" rx="8.5" ry="4" class="stone-2" />
    <ellipse cx="15.5" cy="8.6" rx="5.5" ry="3.2" class="stone-3" />
  </svg>
)

export type Tone = 'neutral' | 'good' | 'bad' | 'busy'
export const Badge = ({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone
  readonly children: ComponentChildren
}) => <span class={`badge ${tone}`}>{children}</span>

export const CopyButton = ({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) => {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [isCopied])
  // Browsers offer it over TLS and on this machine only.
  if (!navigator.clipboard) return null
  return (
    <button
      type="button"
      class="button small"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </button>
  )
}

/** Text for a terminal or an editor, with a button that copies it. */
export const Code = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div class="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard */}
    <section class="code-text" tabIndex={0} aria-label={label}>
      <code>{text}</code>
    </section>
    <CopyButton text={text} />
  </div>
)

type DialogProps = {
  readonly title: string
  readonly onClose: () => void
  readonly wide?: boolean
  readonly children: ComponentChildren
}
/** A modal dialog: the browser keeps the focus inside and closes it by Escape. */
export const Dialog = ({ title, onClose, wide = false, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    element.current?.showModal()
    // By itself the browser focuses the first control, which closes the dialog.
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
          <button type="button" class="button quiet" aria-label="Close" onClick={() => element.current?.close()}>
            ×
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

type FieldProps = {
  readonly label: string
  readonly hint?: string
  readonly children: (id: string, describedBy: string | undefined) => JSX.Element
}
export const Field = ({ label, hint, children }: FieldProps) => {
  const id = useId()
  const hintId = hint ? `${id}-hint` : undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, hintId)}
      {hint ? (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      ) : null}
    </div>
  )
}

type ConfirmProps = {
  readonly title: string
  readonly action: string
  readonly busy: boolean
  readonly error: unknown
  /** What has to be typed before the button works. */
  readonly typed?: string
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly children: ComponentChildren
}
export const Confirm = ({ title, action, busy, error, typed, onConfirm, onClose, children }: ConfirmProps) => {
  const [text, setText] = useState('')
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onConfirm()
        }}
      >
        {children}
        {typed === undefined ? null : (
          <Field label={`Type ${typed} to confirm`}>
            {(id) => (
              <input
                id={id}
                autocomplete="off"
                spellcheck={false}
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            )}
          </Field>
        )}
        {error ? <Problem error={error} /> : null}
        <footer class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button danger" disabled={busy || (typed !== undefined && text !== typed)}>
            {action}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** Metadata as a list of names and values. Values that are not texts are shown as JSON. */
export const Metadata = ({ value }: { readonly value: Readonly<Record<string, unknown>> }) => {
  const entries = Object.entries(value)
  if (entries.length === 0) return <p class="muted">No metadata.</p>
  return (
    <dl class="metadata">
      {entries.map(([name, each]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof each === 'string' ? each : JSON.stringify(each)}</dd>
        </div>
      ))}
    </dl>
  )
}
