import { CairnError } from '@cairn/client'
import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { DocumentPage } from '../api.ts'
import { Confirm, Dialog } from '../dialog.tsx'
import { neighborsOf } from '../neighbors.ts'
import { Button, CopyButton, Metadata, Problem, Skeleton } from '../parts.tsx'
import { go, routeTo } from '../router.ts'
import { useApi } from '../session.ts'
import { withoutRow } from './document-rows.ts'

const Neighbor = (props: { readonly namespace: string; readonly id: string | undefined; readonly label: string }) =>
  props.id === undefined ? null : (
    <a class="button" href={routeTo('namespaces', props.namespace, 'documents', props.id)}>
      {props.label}
    </a>
  )

/** Reads a document, and checks which of the chunks before and after it exist. */
const useDocument = (namespace: string, id: string) => {
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

export const DocumentDialog = ({ namespace, id }: { readonly namespace: string; readonly id: string }) => {
  const api = useApi()
  const queries = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const document = useDocument(namespace, id)
  const close = () => go('namespaces', namespace)
  const remove = async () => {
    await api.documents.delete(namespace, [id])
    close()
    await queries.invalidateQueries({ queryKey: ['namespaces'] })
    const lists = { queryKey: ['documents', namespace] }
    queries.setQueriesData<InfiniteData<DocumentPage>>(lists, (list) => list && withoutRow(list, id))
  }
  if (isDeleting)
    return (
      <Confirm title="Delete this document?" action="Delete document" run={remove} onClose={() => setDeleting(false)}>
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
            <Button label="Delete" look="danger" onClick={() => setDeleting(true)} />
            <Neighbor namespace={namespace} id={document.data.previous} label="Previous chunk" />
            <Neighbor namespace={namespace} id={document.data.next} label="Next chunk" />
            <CopyButton text={document.data.text} label="Copy text" />
          </footer>
        </>
      ) : null}
    </Dialog>
  )
}
