import { useQuery } from '@tanstack/preact-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Dialog } from '../dialog.tsx'
import { Button, Code, Empty, QueryStatus } from '../parts.tsx'
import { routeTo, useRoute } from '../router.ts'
import { afterEvent, type Outcome } from '../search/outcome.ts'
import { OutcomeView } from '../search/outcome-view.tsx'
import { SearchForm } from '../search/search-form.tsx'
import type { Request } from '../search/search-request.ts'
import { useApi } from '../session.ts'
import { type Language, languages, snippet } from '../snippets.ts'

/** Sends one request at a time: a new request cancels the previous one. `text` is the query as entered. */
const useSearch = () => {
  const api = useApi()
  const [request, setRequest] = useState<Request | undefined>(undefined)
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined)
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const run = async (next: Request, text: string, signal: AbortSignal) => {
    if (next.path === '/v1/search') {
      setOutcome({ kind: 'hits', hits: await api.search(next.body, { signal }), query: text })
      return
    }
    for await (const event of api.answerStream(next.body, { signal })) {
      if (signal.aborted) return
      setOutcome((before) => afterEvent(before, event))
    }
  }
  const start = (next: Request, text: string): void => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setRequest(next)
    setOutcome({ kind: 'searching' })
    run(next, text, controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) setOutcome({ kind: 'problem', error })
    })
  }
  return { request, outcome, start }
}

type CopyProps = { readonly request: Request }

const CopyDialog = ({ request, onClose }: CopyProps & { readonly onClose: () => void }) => {
  const [language, setLanguage] = useState<Language>('curl')
  return (
    <Dialog title="Copy this request" wide onClose={onClose}>
      <fieldset class="segments" aria-label="Language">
        {languages.map((each) => (
          <button key={each} type="button" aria-pressed={each === language} onClick={() => setLanguage(each)}>
            {each}
          </button>
        ))}
      </fieldset>
      <Code text={snippet(language, request.path, request.body, location.origin)} label={language} />
      <p class="hint">The key is read from the environment variable KEY.</p>
    </Dialog>
  )
}

/** Offers the sent request as a program to copy. */
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

export const Search = () => {
  const api = useApi()
  const [, first] = useRoute()
  const { request, outcome, start } = useSearch()
  const list = useQuery({ queryKey: ['namespaces'], queryFn: () => api.namespaces.list() })
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
      {list.data?.length ? <SearchForm namespaces={list.data} first={first} onStart={start} /> : null}
      {request ? <CopyRequest request={request} /> : null}
      {outcome ? <OutcomeView outcome={outcome} /> : null}
    </>
  )
}
