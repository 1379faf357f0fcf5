import { CairnError, type Filter, type SentDocument } from '@cairn/client'
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/preact-query'
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { type DocumentPage, type DocumentRow, listDocuments } from '../api.ts'
import { type Condition, FilterForm, filterOf } from '../filter-form.tsx'
import { age, dateTime, number, plural } from '../format.ts'
import { neighborsOf } from '../neighbors.ts'
import { Badge, Confirm, CopyButton, Dialog, Empty, Field, Metadata, Problem, Skeleton } from '../parts.tsx'
import { go, routeTo } from '../router.ts'
import { useApi } from '../session.ts'
import { VirtualList } from '../virtual-list.tsx'

const rowHeight = 60

const Neighbor = (props: { readonly namespace: string; readonly id: string | undefined; readonly label: string }) =>
  props.id === undefined ? null : (
    <a class="button" href={routeTo('namespaces', props.namespace, 'documents', props.id)}>
      {props.label}
    </a>
  )

const DocumentDialog = ({ namespace, id }: { readonly namespace: string; readonly id: string }) => {
  const api = useApi()
  const queries = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const close = () => go('namespaces', namespace)
  const document = useQuery({
    queryKey: ['document', namespace, id],
    queryFn: async () => {
      const { previous, next } = neighborsOf(id)
      const { items } = await api.documents.get(
        namespace,
        [id, previous, next].filter((each) => each !== undefined),
      )
      const found = items.find((each) => each.id === id)
      if (!found) throw new CairnError('not_found', 'The document does not exist.', { status: 404 })
      const existing = (other: string | undefined) => items.find((each) => each.id === other)?.id
      return { ...found, previous: existing(previous), next: existing(next) }
    },
  })
  const remove = useMutation({
    mutationFn: () => api.documents.delete(namespace, [id]),
    onSuccess: async () => {
      close()
      await queries.invalidateQueries({ queryKey: ['namespaces'] })
      queries.setQueriesData<InfiniteData<DocumentPage>>(
        { queryKey: ['documents', namespace] },
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({ ...page, rows: page.rows.filter((row) => row.id !== id) })),
          },
      )
    },
  })
  if (isDeleting)
    return (
      <Confirm
        title="Delete this document?"
        action="Delete document"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={() => setDeleting(false)}
      >
        <p class="mono breakable">{id}</p>
      </Confirm>
    )
  return (
    <Dialog title={id} wide onClose={close}>
      {document.error ? <Problem error={document.error} /> : null}
      {document.isPending ? <Skeleton rows={6} /> : null}
      {document.data ? (
        <>
          <h3>Text</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard */}
          <section class="document-text" tabIndex={0} aria-label="Text">
            {document.data.text}
          </section>
          <h3>Metadata</h3>
          <Metadata value={document.data.metadata} />
          <footer class="dialog-foot">
            <button type="button" class="button danger" onClick={() => setDeleting(true)}>
              Delete
            </button>
            <Neighbor namespace={namespace} id={document.data.previous} label="Previous chunk" />
            <Neighbor namespace={namespace} id={document.data.next} label="Next chunk" />
            <CopyButton text={document.data.text} label="Copy the text" />
          </footer>
        </>
      ) : null}
    </Dialog>
  )
}

const AddDialog = ({ namespace, onClose }: { readonly namespace: string; readonly onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const [id, setId] = useState(() => crypto.randomUUID?.().slice(0, 8) ?? String(Date.now()))
  const [text, setText] = useState('')
  const [metadata, setMetadata] = useState<readonly (readonly [string, string])[]>([['source', '']])
  const add = useMutation({
    mutationFn: async (document: SentDocument) => {
      const { failed, uploads } = await api.documents.upload(namespace, [document])
      if (failed[0]) throw new Error(failed[0].message)
      return uploads[0]
    },
  })
  const documentOf = () => ({
    ...Object.fromEntries(metadata.filter(([name, value]) => name.trim() && value.trim())),
    id,
    text,
  })
  const upload = useQuery({
    queryKey: ['upload', namespace, add.data],
    queryFn: () => api.uploads.get(namespace, add.data ?? ''),
    enabled: add.data !== undefined,
    refetchInterval: ({ state }) => (state.data?.finished_at ? false : 300),
  })
  const outcome = upload.data?.documents[0]
  const isDone = upload.data?.finished_at != null
  useEffect(() => {
    if (!isDone) return
    void queries.resetQueries({ queryKey: ['documents', namespace] })
    void queries.invalidateQueries({ queryKey: ['namespaces'] })
  }, [isDone, queries, namespace])
  return (
    <Dialog title="Paste text" onClose={onClose}>
      {add.data === undefined ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            add.mutate(documentOf())
          }}
        >
          <Field label="Text">
            {(field) => (
              <textarea
                id={field}
                rows={8}
                required
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field label="Id" hint="A document with this id is replaced.">
            {(field, describedBy) => (
              <input
                id={field}
                aria-describedby={describedBy}
                required
                autocomplete="off"
                value={id}
                onInput={(event) => setId(event.currentTarget.value)}
              />
            )}
          </Field>
          {metadata.map(([name, value], index) => (
            <div class="pair" key={String(index)}>
              <input
                aria-label={`Metadata key ${index + 1}`}
                value={name}
                onInput={(event) =>
                  setMetadata(metadata.map((each, at) => (at === index ? [event.currentTarget.value, each[1]] : each)))
                }
              />
              <input
                aria-label={`Metadata value ${index + 1}`}
                placeholder="value"
                value={value}
                onInput={(event) =>
                  setMetadata(metadata.map((each, at) => (at === index ? [each[0], event.currentTarget.value] : each)))
                }
              />
            </div>
          ))}
          <button type="button" class="button small" onClick={() => setMetadata([...metadata, ['', '']])}>
            Add metadata
          </button>
          {add.error ? <Problem error={add.error} /> : null}
          <footer class="dialog-foot">
            <button type="button" class="button" onClick={onClose}>
              Cancel
            </button>
            <button type="submit" class="button primary" disabled={add.isPending}>
              Add document
            </button>
          </footer>
        </form>
      ) : (
        <div aria-live="polite">
          {upload.error ? <Problem error={upload.error} /> : null}
          <p>
            {isDone ? (
              outcome?.outcome === 'failed' ? (
                <Badge tone="bad">failed</Badge>
              ) : (
                <Badge tone="good">searchable</Badge>
              )
            ) : (
              <Badge tone="busy">{upload.data?.state ?? 'accepted'}</Badge>
            )}{' '}
            <span class="mono breakable">{id}</span>
          </p>
          {outcome?.message ? <p>{outcome.message}</p> : null}
          <footer class="dialog-foot">
            <button type="button" class="button primary" onClick={onClose}>
              Close
            </button>
          </footer>
        </div>
      )}
    </Dialog>
  )
}

const Row = ({ namespace, row }: { readonly namespace: string; readonly row: DocumentRow | undefined }) =>
  row ? (
    <a class="document-row" href={routeTo('namespaces', namespace, 'documents', row.id)}>
      <span class="document-id mono">{row.id}</span>
      {row.is_summary ? <Badge>summary</Badge> : null}
      <span class="muted document-age" title={row.created_at ? dateTime(row.created_at) : undefined}>
        {age(row.created_at)}
      </span>
      <span class="document-excerpt muted">{row.excerpt}</span>
    </a>
  ) : (
    <div class="skeleton-row" />
  )

type Props = { readonly namespace: string; readonly selected: string | undefined; readonly count: number }

/** Everything in the namespace that has a text, a page at a time as the list is scrolled. */
export const Documents = ({ namespace, selected, count }: Props) => {
  const api = useApi()
  const [isAdding, setAdding] = useState(false)
  const [isFiltering, setFiltering] = useState(false)
  const [conditions, setConditions] = useState<readonly Condition[]>([])
  const filter: Filter | undefined = isFiltering ? filterOf(conditions) : undefined
  const pages = useInfiniteQuery({
    queryKey: ['documents', namespace, filter],
    queryFn: ({ pageParam }) => listDocuments(api, namespace, { filter, limit: 100, next_token: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    // Read again from the first page on request only: of a long list that was scrolled, each page would be one request.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const rows = useMemo(() => pages.data?.pages.flatMap((page) => page.rows) ?? [], [pages.data])
  const { hasNextPage, isFetching, fetchNextPage } = pages
  const queries = useQueryClient()
  const reload = () => queries.resetQueries({ queryKey: ['documents', namespace, filter], exact: true })
  const [reloadedFor, setReloadedFor] = useState(count)
  const isOutdated = !filter && !hasNextPage && pages.data !== undefined && count !== rows.length
  // A long list that was scrolled costs one request a page: it is read again on request only.
  const isShort = pages.data?.pages.length === 1
  useEffect(() => {
    if (!isOutdated || !isShort || isFetching || reloadedFor === count) return
    setReloadedFor(count)
    void queries.resetQueries({ queryKey: ['documents', namespace, undefined], exact: true })
  }, [isOutdated, isShort, isFetching, reloadedFor, count, queries, namespace])
  const loaded = hasNextPage
    ? `${number(rows.length)} of ${number(Math.max(count, rows.length))} loaded`
    : `${plural(rows.length, 'item')} loaded${isOutdated ? `; ${number(count)} now` : ''}`
  const passing = `${number(rows.length)}${hasNextPage ? ' or more' : ''} pass the filter`
  const said = pages.data === undefined ? 'Loading' : filter ? passing : loaded
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  return (
    <section aria-label="Documents">
      <div class="toolbar">
        <p class="muted" aria-live="polite">
          {said}
        </p>
        <button
          type="button"
          class="button"
          aria-expanded={isFiltering}
          onClick={() => {
            setFiltering(!isFiltering)
            if (conditions.length === 0) setConditions([{ key: '', operator: 'eq', value: '' }])
          }}
        >
          Filter
        </button>
        <button type="button" class="button" onClick={() => void reload()} disabled={isFetching}>
          Reload
        </button>
        <button type="button" class="button primary" onClick={() => setAdding(true)}>
          Paste text
        </button>
      </div>
      {isFiltering ? <FilterForm conditions={conditions} onChange={setConditions} /> : null}
      {pages.error ? <Problem error={pages.error} retry={() => void reload()} /> : null}
      {pages.isPending ? <Skeleton rows={6} /> : null}
      {pages.data && rows.length === 0 && !hasNextPage ? (
        filter ? (
          <Empty title="Nothing passes the filter" />
        ) : (
          <Empty title="No documents yet">
            <p>
              Paste text here, or <a href={routeTo('namespaces', namespace, 'files')}>drag files in</a>.
            </p>
          </Empty>
        )
      ) : null}
      {rows.length > 0 || hasNextPage ? (
        <VirtualList
          label="Documents"
          count={rows.length + (hasNextPage ? 1 : 0)}
          rowHeight={rowHeight}
          keyOf={(index) => rows[index]?.id ?? 'next'}
          render={(index) => <Row namespace={namespace} row={rows[index]} />}
          onEnd={onEnd}
        />
      ) : null}
      {selected === undefined ? null : <DocumentDialog key={selected} namespace={namespace} id={selected} />}
      {isAdding ? <AddDialog namespace={namespace} onClose={() => setAdding(false)} /> : null}
    </section>
  )
}
