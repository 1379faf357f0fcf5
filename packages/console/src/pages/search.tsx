import type { Namespace } from '@cairn/client'
import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useMemo, useState } from 'preact/hooks'
import { Dialog } from '../dialog.tsx'
import { ItemDialog } from '../documents/item-dialog.tsx'
import { useNamespaces } from '../namespaces/use-namespaces.ts'
import { Button, Code, Empty, Problem, QueryStatus, Segments, Skeleton } from '../parts.tsx'
import { goTo, routeTo, useParams, withParams } from '../router.ts'
import { afterEvent, marksIn, type Outcome } from '../search/outcome.ts'
import { OutcomeView } from '../search/outcome-view.tsx'
import { outcomeKey } from '../search/recent.ts'
import { SearchForm } from '../search/search-form.tsx'
import {
  namesOf,
  namespacesOf,
  paramsOf,
  type Query,
  queryIn,
  type Request,
  requestOf,
} from '../search/search-request.ts'
import { useApi } from '../session.ts'
import { type Language, languages, snippet } from '../snippets.ts'

const keptMs = 30 * 60_000

/** Keeps the outcome for a while, so that going back to it sends no request. */
const useOutcome = (query: Query, request: Request | undefined, searched: readonly string[]) => {
  const api = useApi()
  const queries = useQueryClient()
  const queryKey = outcomeKey(query)
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Outcome | null> => {
      if (!request) return null
      if (request.path === '/v1/search')
        return { kind: 'hits', hits: await api.search(request.body, { signal }), query: query.text }
      const asked = { question: query.text, namespaces: searched }
      let outcome: Outcome | undefined
      for await (const event of api.answerStream(request.body, { signal })) {
        outcome = afterEvent(asked, outcome, event)
        queries.setQueryData(queryKey, outcome)
      }
      return outcome ?? null
    },
    enabled: request !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
    retry: false,
  })
}

type CopyProps = { readonly request: Request }

const CopyDialog = ({ request, onClose }: CopyProps & { readonly onClose: () => void }) => {
  const [language, setLanguage] = useState<Language>('curl')
  return (
    <Dialog title="Copy this request" wide onClose={onClose}>
      <Segments label="Language" options={languages} value={language} onValue={setLanguage} />
      <Code text={snippet(language, request.path, request.body, location.origin)} label={language} />
      <p class="hint">
        The key is read from the environment variable <code>CAIRN_API_KEY</code>.
      </p>
    </Dialog>
  )
}

const CopyRequest = ({ request }: CopyProps) => {
  const [isCopying, setCopying] = useState(false)
  return (
    <>
      <p class="copy-line">
        <Button label="Copy as curl, TypeScript or Python" small onClick={() => setCopying(true)} />
      </p>
      {isCopying ? <CopyDialog request={request} onClose={() => setCopying(false)} /> : null}
    </>
  )
}

const OpenItem = ({ query }: { readonly query: Query }) => {
  const params = useParams()
  const open = params.get('open') ?? ''
  const marks = params.get('mark')
  const found = useMemo(() => {
    const ranges = marksIn(marks)
    return ranges && { marks: ranges, query: query.text }
  }, [marks, query.text])
  const [, namespace, id] = /^([^/]*)\/(.+)$/s.exec(open) ?? []
  if (namespace === undefined || id === undefined) return null
  const close = { open: undefined, mark: undefined }
  return (
    <ItemDialog
      key={open}
      namespace={namespace}
      id={id}
      found={found}
      hrefOf={(other) => withParams(location.hash, { ...close, open: `${namespace}/${other}` })}
      onClose={() => goTo(withParams(location.hash, close))}
    />
  )
}

const Outcomes = ({ query, namespaces }: { readonly query: Query; readonly namespaces: readonly Namespace[] }) => {
  const chosen = namespacesOf(query, namespaces)
  const isVector = chosen.some((each) => each.type === 'vector')
  const isSent = query.text.trim() !== '' && chosen.length > 0
  const names = namesOf(chosen)
  const isUnnamed = query.isQuestion && query.namespaces.length === 0
  const request = isSent ? requestOf({ ...query, namespaces: isUnnamed ? [] : names }, isVector) : undefined
  const outcome = useOutcome(query, request, names)
  const refetch = () => void outcome.refetch()
  const start = (next: Query) => {
    const address = withParams(location.hash, { ...paramsOf(next), open: undefined, mark: undefined })
    if (address === location.hash) refetch()
    else goTo(address)
  }
  return (
    <>
      <SearchForm namespaces={namespaces} query={query} onStart={start} />
      {request ? <CopyRequest request={request} /> : null}
      {outcome.error ? <Problem error={outcome.error} retry={refetch} /> : null}
      {request && outcome.isPending ? <Skeleton rows={5} /> : null}
      {outcome.data ? <OutcomeView outcome={outcome.data} /> : null}
      <OpenItem query={query} />
    </>
  )
}

export const Search = () => {
  const list = useNamespaces()
  const query = queryIn(useParams())
  return (
    <>
      <header class="page-head">
        <h1>Search and ask</h1>
      </header>
      <QueryStatus query={list} />
      {list.data?.length === 0 ? (
        <Empty title="Nothing to search yet">
          <p>
            <a href={routeTo('namespaces')}>Create a namespace</a> and add documents or files.
          </p>
        </Empty>
      ) : null}
      {list.data?.length ? <Outcomes query={query} namespaces={list.data} /> : null}
    </>
  )
}
