import type { Namespace } from '@cairn/client'
import { useQuery } from '@tanstack/preact-query'
import { excerptOf } from '../api.ts'
import { BulkBar, SelectBox, useSelection } from '../bulk.tsx'
import { ItemDialog, useDeleteItems } from '../documents/item-dialog.tsx'
import { number } from '../format.ts'
import { Empty, QueryStatus, Table } from '../parts.tsx'
import { goTo, routeTo, routeWithin, setParams, useParams } from '../router.ts'
import { useApi } from '../session.ts'

const listed = 100

type Row = { readonly id: string; readonly text: string; readonly metadata: Readonly<Record<string, unknown>> }

/** Reads one vector, or those nearest to (1, 1, …): the API lists none, but any search finds up to 100. */
const useVectors = (
  { namespace_name: name, vector_dimension: dimension, item_count: count }: Namespace,
  id: string,
) => {
  const api = useApi()
  return useQuery({
    queryKey: ['vectors', name, id, count],
    queryFn: async (): Promise<readonly Row[]> => {
      if (id !== '') return (await api.documents.get(name, [id])).items
      const query = Array.from({ length: dimension ?? 1 }, () => 1)
      return (await api.search({ query, namespaces: [name], top_k: listed })).results
    },
  })
}

type Props = { readonly namespace: Namespace; readonly selected: string | undefined }

export const Vectors = ({ namespace, selected }: Props) => {
  const { namespace_name: name, item_count: count } = namespace
  const api = useApi()
  const find = useParams().get('find') ?? ''
  const query = useVectors(namespace, find)
  const selection = useSelection()
  const remove = useDeleteItems(name)
  const rows = query.data ?? []
  if (count === 0)
    return (
      <Empty title="No vectors yet">
        <p>
          Upload vectors with the API: <code>POST /v1/namespaces/{name}/vectors</code>
        </p>
      </Empty>
    )
  return (
    <section aria-label="Vectors">
      <div class="toolbar">
        <p class="muted">
          {count <= listed
            ? `${number(count)} vectors`
            : `${listed} of ${number(count)} vectors. The API lists no vectors: these are the nearest to (1, 1, …). Find others by id, or search.`}
        </p>
        <input
          type="search"
          aria-label="Find a vector by id"
          placeholder="Find by id"
          value={find}
          onInput={(event) => setParams({ find: event.currentTarget.value || undefined })}
        />
      </div>
      <QueryStatus query={query} rows={6} />
      <BulkBar
        noun="vector"
        selection={selection}
        shown={rows.map(({ id }) => id)}
        warning="This cannot be undone."
        onDelete={remove}
        onRetry={async (ids) => `${number((await api.retry(name, { ids })).documents)} queued for retry.`}
      />
      {query.data?.length === 0 ? <Empty title="No vector has this id" /> : null}
      {rows.length > 0 ? (
        <Table columns={['', 'Id', 'Text', 'Metadata']}>
          {rows.map(({ id, text, metadata }) => (
            <tr key={id}>
              <td class="select">
                <SelectBox id={id} selection={selection} />
              </td>
              <th scope="row" class="mono breakable">
                <a href={routeWithin('namespaces', name, 'vectors', id)}>{id}</a>
              </th>
              <td data-label="Text" class="breakable">
                {text === '' ? <span class="muted">–</span> : excerptOf(text)}
              </td>
              <td data-label="Metadata" class="mono muted breakable">
                {excerptOf(JSON.stringify(metadata))}
              </td>
            </tr>
          ))}
        </Table>
      ) : null}
      {selected === undefined ? null : (
        <ItemDialog
          key={selected}
          namespace={name}
          id={selected}
          hrefOf={(id) => routeTo('namespaces', name, 'vectors', id)}
          onClose={() => goTo(routeWithin('namespaces', name))}
        />
      )}
    </section>
  )
}
