import { CairnError, filePartOf } from '@cairn/client'
import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/preact-query'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { DocumentPage } from '../api.ts'
import { Confirm, Dialog } from '../dialog.tsx'
import { useStatus } from '../files/file-row.tsx'
import { neighborsOf } from '../neighbors.ts'
import { Button, CopyButton, Metadata, QueryStatus } from '../parts.tsx'
import { routeTo } from '../router.ts'
import { highlight, type TextRange } from '../search/highlight.ts'
import { MarkedText } from '../search/marked-text.tsx'
import { useApi } from '../session.ts'
import { withoutRows } from './document-rows.ts'

/** Reads an item, and which chunks exist before and after it. */
const useItem = (namespace: string, id: string) => {
  const api = useApi()
  return useQuery({
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
}

type Item = NonNullable<ReturnType<typeof useItem>['data']>

type PartProps = { readonly namespace: string; readonly item: Item; readonly file: string; readonly text: string }

const PartLine = ({ namespace, item, file, text }: PartProps) => {
  const count = useStatus(namespace, file).data?.chunks
  const { is_summary: isSummary, chunk_index: index } = item.metadata
  return (
    <p class="facts">
      <span>{isSummary === true ? 'Summary' : `Chunk ${Number(index) + 1}${count ? ` of ${count}` : ''}`}</span>
      <span class="breakable">{text}</span>
      <a href={routeTo('namespaces', namespace, 'files', file)}>All chunks of the file</a>
    </p>
  )
}

export type Found = { readonly marks: readonly TextRange[]; readonly query: string }

const ItemText = ({ text, found }: { readonly text: string; readonly found: Found | undefined }) => {
  const element = useRef<HTMLElement>(null)
  const pieces = useMemo(
    () => (found ? highlight(text, found.marks, found.query) : [{ text, kind: 'plain' } as const]),
    [text, found],
  )
  useEffect(() => element.current?.querySelector('mark')?.scrollIntoView({ block: 'center' }), [pieces])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
    <section ref={element} class="document-text" tabIndex={0} aria-label="Text">
      <MarkedText pieces={pieces} />
    </section>
  )
}

type Props = {
  readonly namespace: string
  readonly id: string
  readonly found?: Found | undefined
  /** Returns the address that shows another item in place of this one. */
  readonly hrefOf: (id: string) => string
  readonly onClose: () => void
}

const ItemView = ({ item, namespace, found, hrefOf, onDelete }: Omit<Props, 'id' | 'onClose'> & ViewProps) => {
  const part = filePartOf(item)
  return (
    <>
      {part ? <PartLine namespace={namespace} item={item} {...part} /> : null}
      <ItemText text={item.text} found={found} />
      <h3>Metadata</h3>
      <Metadata value={item.metadata} />
      <footer class="dialog-foot">
        <Button label="Delete" writes look="danger" onClick={onDelete} />
        <span class="space" />
        {item.previous === undefined ? null : (
          <a class="button" href={hrefOf(item.previous)}>
            Previous chunk
          </a>
        )}
        {item.next === undefined ? null : (
          <a class="button" href={hrefOf(item.next)}>
            Next chunk
          </a>
        )}
        <CopyButton text={item.text} label="Copy text" />
      </footer>
    </>
  )
}
type ViewProps = { readonly item: Item; readonly onDelete: () => void }

export const useDeleteItems = (namespace: string) => {
  const api = useApi()
  const queries = useQueryClient()
  return async (ids: readonly string[]) => {
    await api.documents.delete(namespace, ids)
    await queries.invalidateQueries({ queryKey: ['namespaces'] })
    const lists = { queryKey: ['documents', namespace] }
    queries.setQueriesData<InfiniteData<DocumentPage>>(lists, (list) => list && withoutRows(list, ids))
  }
}

export const ItemDialog = ({ namespace, id, found, hrefOf, onClose }: Props) => {
  const removeItems = useDeleteItems(namespace)
  const [isDeleting, setDeleting] = useState(false)
  const query = useItem(namespace, id)
  const remove = async () => {
    await removeItems([id])
    onClose()
  }
  if (isDeleting)
    return (
      <Confirm title="Delete this document?" action="Delete document" run={remove} onClose={() => setDeleting(false)}>
        <p class="mono breakable">{id}</p>
      </Confirm>
    )
  return (
    <Dialog title={id} wide onClose={onClose}>
      <QueryStatus query={query} rows={6} />
      {query.data ? (
        <ItemView
          item={query.data}
          namespace={namespace}
          found={found}
          hrefOf={hrefOf}
          onDelete={() => setDeleting(true)}
        />
      ) : null}
    </Dialog>
  )
}
