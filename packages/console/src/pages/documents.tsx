import { type Filter, limits } from '@cairn/client'
import { useInfiniteQuery, useQueryClient } from '@tanstack/preact-query'
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { type DocumentRow, listDocuments } from '../api.ts'
import { BulkBar, SelectBox, type Selection, useSelection } from '../bulk.tsx'
import { AddDialog } from '../documents/add-dialog.tsx'
import { describeList, isOutdated } from '../documents/document-rows.ts'
import { ItemDialog, useDeleteItems } from '../documents/item-dialog.tsx'
import { type Condition, conditionParams, conditionsIn, FilterForm, filterOf, newCondition } from '../filter-form.tsx'
import { age, dateTime, plural } from '../format.ts'
import { Badge, Button, Empty, QueryStatus } from '../parts.tsx'
import { useInvalidate } from '../queries.ts'
import { goTo, routeTo, routeWithin, setParams, useParams } from '../router.ts'
import { useApi } from '../session.ts'
import { VirtualList } from '../virtual-list.tsx'

const rowHeight = 60
const idEnd = 12

/** Reads the documents page by page. `count`: items of the namespace. */
const useDocuments = (namespace: string, filter: Filter | undefined, count: number) => {
  const api = useApi()
  const queries = useQueryClient()
  const pages = useInfiniteQuery({
    queryKey: ['documents', namespace, filter],
    queryFn: ({ pageParam }) => listDocuments(api, namespace, { filter, limit: 100, next_token: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    // Reading a scrolled list again costs a request per page: by itself only a single outdated page is read.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const { data, hasNextPage, isFetching, fetchNextPage } = pages
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data])
  const isFiltered = filter !== undefined
  const list = { loaded: rows.length, hasNextPage, isFiltered, count }
  const isStaleAndShort = data?.pages.length === 1 && isOutdated(list)
  const [reloadedFor, setReloadedFor] = useState(count)
  useEffect(() => {
    if (!isStaleAndShort || isFetching || reloadedFor === count) return
    setReloadedFor(count)
    void queries.resetQueries({ queryKey: ['documents', namespace, undefined], exact: true })
  }, [isStaleAndShort, isFetching, reloadedFor, count, queries, namespace])
  const loadNext = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  return {
    pages,
    rows,
    isFiltered,
    summary: data ? describeList(list) : 'Loading',
    loadNext,
    reload: () => void queries.resetQueries({ queryKey: ['documents', namespace, filter], exact: true }),
  }
}

type RowProps = {
  readonly namespace: string
  readonly row: DocumentRow | undefined
  readonly selection: Selection
}

const Row = ({ namespace, row, selection }: RowProps) =>
  row ? (
    <>
      <SelectBox id={row.id} selection={selection} />
      <a class="document-row" href={routeWithin('namespaces', namespace, 'documents', row.id)}>
        {/* A long id is cut before its end, the number of a chunk. */}
        <span class="document-id mono">
          <span>{row.id.slice(0, -idEnd)}</span>
          <span>{row.id.slice(-idEnd)}</span>
        </span>
        {row.is_summary ? <Badge>summary</Badge> : null}
        <span class="muted document-age" title={row.created_at ? dateTime(row.created_at) : undefined}>
          {age(row.created_at)}
        </span>
        <span class="document-excerpt muted">{row.excerpt}</span>
      </a>
    </>
  ) : (
    <div class="skeleton-row" />
  )

const NoDocuments = ({ namespace, isFiltered }: { readonly namespace: string; readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No documents match the filter" />
  ) : (
    <Empty title="No documents yet">
      <p>
        Paste text here, or <a href={routeTo('namespaces', namespace, 'files')}>drag files in</a>.
      </p>
    </Empty>
  )

type ListProps = {
  readonly namespace: string
  readonly list: ReturnType<typeof useDocuments>
  readonly selection: Selection
}

const DocumentList = ({ namespace, selection, list: { pages, rows, isFiltered, loadNext } }: ListProps) => (
  <>
    <QueryStatus query={pages} rows={6} />
    {rows.length > 0 || pages.hasNextPage ? (
      <VirtualList
        label="Documents"
        count={rows.length + (pages.hasNextPage ? 1 : 0)}
        rowHeight={rowHeight}
        keyOf={(index) => rows[index]?.id ?? 'next'}
        render={(index) => <Row namespace={namespace} row={rows[index]} selection={selection} />}
        onEnd={loadNext}
      />
    ) : pages.data ? (
      <NoDocuments namespace={namespace} isFiltered={isFiltered} />
    ) : null}
  </>
)

type BulkProps = { readonly namespace: string; readonly selection: Selection; readonly shown: readonly string[] }

const DocumentBulk = ({ namespace, ...bulk }: BulkProps) => {
  const api = useApi()
  const invalidate = useInvalidate()
  const remove = useDeleteItems(namespace)
  const retry = async (ids: readonly string[]) => {
    let retried = 0
    let refused: readonly string[] = []
    for (let from = 0; from < ids.length; from += limits.idsPerGet) {
      const answer = await api.retry(namespace, { ids: ids.slice(from, from + limits.idsPerGet) })
      retried += answer.documents
      refused = [...refused, ...answer.refused.map(({ message, remedy }) => `${message} ${remedy}`)]
    }
    await invalidate(['failed', namespace])
    return [`${plural(retried, 'document')} queued for retry.`, ...new Set(refused)].join(' ')
  }
  const warning = 'This cannot be undone. Chunks come back when their file is uploaded again.'
  return <BulkBar noun="item" warning={warning} onDelete={remove} onRetry={retry} {...bulk} />
}

type Props = { readonly namespace: string; readonly selected: string | undefined; readonly count: number }

export const Documents = ({ namespace, selected, count }: Props) => {
  const [isAdding, setAdding] = useState(false)
  const params = useParams()
  const conditions = conditionsIn(params.getAll('f'))
  const isFiltering = conditions.length > 0
  const filter = filterOf(conditions)
  const setConditions = (next: readonly Condition[]) => setParams({ f: conditionParams(next) })
  const list = useDocuments(namespace, filter, count)
  const selection = useSelection()
  return (
    <section aria-label="Documents">
      <div class="toolbar">
        <p class="muted" aria-live="polite">
          {list.summary}
        </p>
        <Button
          label="Filter"
          aria-expanded={isFiltering}
          onClick={() => setConditions(isFiltering ? [] : [newCondition])}
        />
        <Button label="Reload" onClick={list.reload} disabled={list.pages.isFetching} />
        <Button label="Paste text" writes look="primary" onClick={() => setAdding(true)} />
      </div>
      {isFiltering ? <FilterForm conditions={conditions} onChange={setConditions} /> : null}
      <DocumentBulk namespace={namespace} selection={selection} shown={list.rows.map((row) => row.id)} />
      <DocumentList namespace={namespace} list={list} selection={selection} />
      {selected === undefined ? null : (
        <ItemDialog
          key={selected}
          namespace={namespace}
          id={selected}
          hrefOf={(id) => routeWithin('namespaces', namespace, 'documents', id)}
          onClose={() => goTo(routeWithin('namespaces', namespace))}
        />
      )}
      {isAdding ? <AddDialog namespace={namespace} onClose={() => setAdding(false)} /> : null}
    </section>
  )
}
