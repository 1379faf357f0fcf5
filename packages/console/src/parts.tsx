import { CairnError } from '@cairn/client'
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { timeOfDay } from './format.ts'
import type { PageRange } from './page-range.ts'
import { routeTo } from './router.ts'
import { useCanWrite } from './session.ts'

const suggestionOf = (error: unknown): string | undefined =>
  error instanceof CairnError ? (error.body as { readonly suggestion?: string } | undefined)?.suggestion : undefined

type ButtonProps = Omit<ButtonHTMLAttributes, 'class' | 'label'> & {
  readonly label: ComponentChildren
  readonly look?: 'primary' | 'danger' | 'quiet'
  readonly small?: boolean
  /** Completes the label for screen readers, if the page has several such buttons. */
  readonly of?: string
  /** Hides the button where content can only be read. */
  readonly writes?: boolean
}
export const Button = ({ label, look, small, of, writes, ...button }: ButtonProps) => {
  const canWrite = useCanWrite()
  if (writes && !canWrite) return null
  return (
    <button type="button" class={['button', look, small && 'small'].filter(Boolean).join(' ')} {...button}>
      {label}
      {of === undefined ? null : <span class="visually-hidden"> {of}</span>}
    </button>
  )
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const Problem = ({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) => (
  <div class="problem" role="alert">
    <div>
      <strong>{messageOf(error)}</strong>
      {suggestionOf(error) ? <p>{suggestionOf(error)}</p> : null}
    </div>
    {retry ? <Button label="Try again" small onClick={retry} /> : null}
  </div>
)

/** Rows as high as those being loaded, so that nothing moves when these arrive. */
export const Skeleton = ({ rows = 4 }: { readonly rows?: number }) => (
  <div class="skeleton" role="status">
    <span class="visually-hidden">Loading</span>
    {Array.from({ length: rows }, (_, index) => (
      <div key={index} class="skeleton-row" />
    ))}
  </div>
)

type Query = {
  readonly data: unknown
  readonly error: unknown
  readonly failureReason: unknown
  readonly dataUpdatedAt: number
  readonly isPending: boolean
  readonly refetch: () => unknown
}
/** Returns why the data of a query is not current; undefined for current or missing data. */
export const staleReason = ({ data, error, failureReason }: Query): unknown =>
  data === undefined ? undefined : (error ?? failureReason ?? undefined)

export const QueryStatus = ({ query, rows }: { readonly query: Query; readonly rows?: number }) => {
  const retry = () => void query.refetch()
  const stale = staleReason(query)
  if (stale)
    return (
      <div class="stale" role="status">
        <span>
          Data of {timeOfDay(query.dataUpdatedAt)}, not updated since: {messageOf(stale)}
        </span>
        <Button label="Try again" small onClick={retry} />
      </div>
    )
  return (
    <>
      {query.error ? <Problem error={query.error} retry={retry} /> : null}
      {query.isPending && !query.error ? <Skeleton rows={rows} /> : null}
    </>
  )
}

export const Empty = (props: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <Stones />
    <h2>{props.title}</h2>
    {props.children}
  </div>
)

export const NoPage = () => (
  <Empty title="There is no such page">
    <p>
      The address may be incomplete or from another version. <a href={routeTo('namespaces')}>See all namespaces.</a>
    </p>
  </Empty>
)

export const Stones = () => (
  <svg class="stones" viewBox="0 0 32 32" aria-hidden="true">
    <ellipse cx="16" cy="25" rx="12" ry="5" class="stone-1" />
    <ellipse cx="16.5" cy="16" rx="8.5" ry="4" class="stone-2" />
    <ellipse cx="15.5" cy="8.6" rx="5.5" ry="3.2" class="stone-3" />
  </svg>
)

export type Tone = 'neutral' | 'good' | 'bad' | 'busy'
type BadgeProps = { readonly tone?: Tone; readonly children: ComponentChildren }
export const Badge = ({ tone = 'neutral', children }: BadgeProps) => <span class={`badge ${tone}`}>{children}</span>

export const CopyButton = ({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) => {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [isCopied])
  // Browsers offer the clipboard only over TLS and on localhost.
  if (!navigator.clipboard) return null
  return (
    <Button
      small
      label={<span aria-live="polite">{isCopied ? 'Copied' : label}</span>}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    />
  )
}

type CodeProps = {
  readonly text: string
  readonly label: string
  /** Default: `text`. */
  readonly copied?: string
}
export const Code = ({ text, label, copied = text }: CodeProps) => (
  <div class="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard */}
    <section class="code-text" tabIndex={0} aria-label={label}>
      <code>{text}</code>
    </section>
    <CopyButton text={copied} />
  </div>
)

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

type TableProps = {
  /** A column with an empty name holds buttons. */
  readonly columns: readonly string[]
  readonly numeric?: readonly string[]
  readonly children: ComponentChildren
}
export const Table = ({ columns, numeric = [], children }: TableProps) => (
  <table class="table">
    <thead>
      <tr>
        {columns.map((name) =>
          name === '' ? (
            <td key={name} />
          ) : (
            <th key={name} scope="col" class={numeric.includes(name) ? 'numeric' : undefined}>
              {name}
            </th>
          ),
        )}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)

type SectionProps = {
  readonly heading: string
  /** Shown beside the heading. */
  readonly beside?: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}
export const Section = ({ heading, beside, children, ...section }: SectionProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id} {...section}>
      <header class="section-head">
        <h2 id={id}>{heading}</h2>
        {beside}
      </header>
      {children}
    </section>
  )
}

export type PagerProps = { readonly range: PageRange; readonly onPage: (page: number) => void }
export const Pager = ({ range, onPage, children }: PagerProps & { readonly children: ComponentChildren }) => (
  <span class="pager">
    <Button label="Previous" disabled={range.page === 0} onClick={() => onPage(range.page - 1)} />
    <span class="muted">{children}</span>
    <Button label="Next" disabled={range.page === range.pages - 1} onClick={() => onPage(range.page + 1)} />
  </span>
)

type SegmentsProps<T extends string> = {
  readonly label: string
  readonly options: readonly T[]
  readonly value: T
  readonly onValue: (value: T) => void
}
export const Segments = <T extends string>({ label, options, value, onValue }: SegmentsProps<T>) => (
  <fieldset class="segments" aria-label={label}>
    {options.map((each) => (
      <button key={each} type="button" aria-pressed={each === value} onClick={() => onValue(each)}>
        {each}
      </button>
    ))}
  </fieldset>
)

/** Draws a share, 0 to 1. */
export const Meter = ({ share, full = false }: { readonly share: number; readonly full?: boolean }) => (
  <span class={full ? 'meter full' : 'meter'} aria-hidden="true">
    <span style={{ width: `${share * 100}%` }} />
  </span>
)

export const DocumentLink = ({ namespace, id }: { readonly namespace: string; readonly id: string }) => (
  <a class="mono breakable" href={routeTo('namespaces', namespace, 'documents', id)}>
    {id}
  </a>
)
