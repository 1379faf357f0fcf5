import type { Answer, AnswerSource, Hit, Hits, Namespace, Search as SearchBody } from '@cairn/client'
import { useQuery } from '@tanstack/preact-query'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Condition, FilterForm, filterOf } from '../filter-form.tsx'
import { duration } from '../format.ts'
import { cutAtRanges, highlight, type Piece, shorten } from '../highlight.ts'
import { Badge, Code, Dialog, Empty, Field, Metadata, Problem, Skeleton } from '../parts.tsx'
import { routeTo, useRoute } from '../router.ts'
import { useApi } from '../session.ts'
import { type Language, languages, snippet } from '../snippets.ts'

type Mode = NonNullable<SearchBody['mode']>
type Request =
  | { readonly path: '/v1/search'; readonly body: SearchBody }
  | { readonly path: '/v1/answer'; readonly body: Answer }
type Outcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'searching' }
  | { readonly kind: 'hits'; readonly hits: Hits; readonly query: string }
  | {
      readonly kind: 'answer'
      readonly text: string
      readonly sources: readonly AnswerSource[]
      readonly model: string
      /** False where no source answers the question. */
      readonly isAnswered: boolean
      readonly isDone: boolean
    }
  | { readonly kind: 'problem'; readonly error: unknown }

const modes: Readonly<Record<Mode, string>> = {
  hybrid: 'Hybrid: meaning and words',
  semantic: 'Semantic: meaning',
  lexical: 'Lexical: words',
}

/** `[0.1, 0.2]` is a vector, all else is text. */
const queryOf = (text: string): SearchBody['query'] => {
  if (!/^\s*\[/.test(text)) return text
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every((each) => typeof each === 'number') ? value : text
  } catch {
    return text
  }
}

const Passage = ({ pieces: whole }: { readonly pieces: readonly Piece[] }) => {
  const [isWhole, setWhole] = useState(false)
  const short = shorten(whole)
  const isShortened = short.some((piece, index) => piece.text !== whole[index]?.text)
  return (
    <div class="passage">
      <p>
        {(isWhole ? whole : short).map(({ text, kind }, index) => {
          if (kind === 'marked') return <mark key={String(index)}>{text}</mark>
          if (kind !== 'word') return <span key={String(index)}>{text}</span>
          return (
            <mark key={String(index)}>
              <strong>{text}</strong>
            </mark>
          )
        })}
      </p>
      {isShortened ? (
        <button type="button" class="link" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show all of the text'}
        </button>
      ) : null}
    </div>
  )
}

const Score = ({ hit }: { readonly hit: Hit }) => {
  const parts = hit.explanation
  return (
    <p class="score">
      <span class="meter" aria-hidden="true">
        <span style={{ width: `${hit.score * 100}%` }} />
      </span>
      <strong>{hit.score.toFixed(3)}</strong>
      {parts?.semantic === undefined ? null : <span class="muted">semantic {parts.semantic.toFixed(3)}</span>}
      {parts?.lexical === undefined ? null : <span class="muted">lexical {parts.lexical.toFixed(3)}</span>}
      {parts?.bm25 === undefined ? null : <span class="muted">BM25 {parts.bm25.toFixed(2)}</span>}
    </p>
  )
}

const HitText = ({ hit, query }: { readonly hit: Hit; readonly query: string }) => {
  // The page is drawn anew with each key that is pressed in the query.
  const pieces = useMemo(() => highlight(hit.text, hit.highlights ?? [], query), [hit, query])
  return hit.text === '' ? <p class="muted">No text.</p> : <Passage pieces={pieces} />
}

const HitRow = ({ hit, query }: { readonly hit: Hit; readonly query: string }) => (
  <li class="hit">
    <header>
      <a class="mono breakable" href={routeTo('namespaces', hit.namespace, 'documents', hit.id)}>
        {hit.id}
      </a>
      <Badge>{hit.namespace}</Badge>
      <Score hit={hit} />
    </header>
    <HitText hit={hit} query={query} />
    <details>
      <summary>Metadata</summary>
      <Metadata value={hit.metadata} />
    </details>
  </li>
)

const HitList = ({ hits, query }: { readonly hits: Hits; readonly query: string }) => {
  const timings = Object.entries(hits.timings).filter(([stage, seconds]) => stage !== 'total' && seconds >= 0.0005)
  return (
    <section aria-label="Hits">
      <p class="result-line" role="status">
        <strong>{hits.results.length === 1 ? '1 hit' : `${hits.results.length} hits`}</strong>
        <span>in {duration(hits.execution_time)}</span>
        <span class="muted">
          {timings.map(([stage, seconds]) => `${stage.replaceAll('_', ' ')} ${duration(seconds)}`).join(' · ')}
        </span>
      </p>
      {hits.degraded ? (
        <Problem error={new Error(`Points are missing in ${hits.degraded.join(', ')}; the audit restores them.`)} />
      ) : null}
      {hits.results.length === 0 ? (
        <Empty title="Nothing was found">
          <p>Try other words, another mode, or fewer conditions.</p>
        </Empty>
      ) : (
        <ol class="hits">
          {hits.results.map((hit) => (
            <HitRow key={`${hit.namespace}/${hit.id}`} hit={hit} query={query} />
          ))}
        </ol>
      )}
    </section>
  )
}

const AnswerView = ({ outcome }: { readonly outcome: Extract<Outcome, { kind: 'answer' }> }) => (
  <section aria-label="Answer" class="answer">
    <p class="answer-text" aria-live="polite" aria-busy={!outcome.isDone}>
      {outcome.text}
      {outcome.isDone ? null : <span class="caret" aria-hidden="true" />}
    </p>
    {outcome.isAnswered ? (
      <p class="muted">
        {outcome.model === 'extractive' ? 'Sentences of the sources; no language model is configured.' : outcome.model}
      </p>
    ) : null}
    {outcome.sources.length > 0 ? (
      <>
        <h2>{outcome.isAnswered ? 'Sources' : 'What search found'}</h2>
        <ol class="hits">
          {outcome.sources.map((source) => (
            <li class="hit" key={source.id}>
              <header>
                <a class="mono breakable" href={routeTo('namespaces', source.namespace, 'documents', source.id)}>
                  {source.id}
                </a>
                <span class="muted">{source.score.toFixed(3)}</span>
              </header>
              <Passage pieces={cutAtRanges(source.text, source.passages ?? [])} />
            </li>
          ))}
        </ol>
      </>
    ) : null}
  </section>
)

const CopyDialog = ({ request, onClose }: { readonly request: Request; readonly onClose: () => void }) => {
  const [language, setLanguage] = useState<Language>('curl')
  return (
    <Dialog title="This request as a program" wide onClose={onClose}>
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

const NamespaceChoice = (props: {
  readonly namespaces: readonly Namespace[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}) => (
  <fieldset class="chips">
    <legend>Namespaces</legend>
    {props.namespaces.map(({ namespace_name: name }) => (
      <label key={name} class="chip">
        <input
          type="checkbox"
          checked={props.chosen.includes(name)}
          onChange={(event) =>
            props.onChange(
              event.currentTarget.checked ? [...props.chosen, name] : props.chosen.filter((each) => each !== name),
            )
          }
        />
        <span>{name}</span>
      </label>
    ))}
  </fieldset>
)

export const Search = () => {
  const api = useApi()
  const [, first] = useRoute()
  const [query, setQuery] = useState('')
  const [mode, setMode] = useState<Mode>('hybrid')
  const [topK, setTopK] = useState(10)
  const [chosen, setChosen] = useState<readonly string[] | undefined>(first === undefined ? undefined : [first])
  const [conditions, setConditions] = useState<readonly Condition[]>([])
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' })
  const [isCopying, setCopying] = useState(false)
  const [lastRequest, setLastRequest] = useState<Request | undefined>(undefined)
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const list = useQuery({ queryKey: ['namespaces'], queryFn: () => api.namespaces.list() })
  const namespaces = list.data ?? []
  const known = (chosen ?? namespaces.slice(0, 1).map((each) => each.namespace_name)).filter((name) =>
    namespaces.some((each) => each.namespace_name === name),
  )
  const isVector = namespaces.some((each) => each.type === 'vector' && known.includes(each.namespace_name))
  const filter = filterOf(conditions)

  const begin = (): AbortSignal => {
    running.current?.abort()
    running.current = new AbortController()
    return running.current.signal
  }
  const run = async (request: Request, work: (signal: AbortSignal) => Promise<void>) => {
    const signal = begin()
    setLastRequest(request)
    setOutcome({ kind: 'searching' })
    try {
      await work(signal)
    } catch (error) {
      if (!signal.aborted) setOutcome({ kind: 'problem', error })
    }
  }
  const search = () => {
    const body: SearchBody = {
      query: queryOf(query),
      namespaces: known,
      top_k: topK,
      ...(isVector ? {} : { mode }),
      explain: true,
      highlights: true,
      ...(filter ? { filter } : {}),
    }
    return run({ path: '/v1/search', body }, async (signal) =>
      setOutcome({ kind: 'hits', hits: await api.search(body, { signal }), query }),
    )
  }
  const ask = () => {
    const body: Answer = { query, namespace: known[0] ?? '', top_k: topK, ...(filter ? { filter } : {}) }
    return run({ path: '/v1/answer', body }, async (signal) => {
      for await (const event of api.answerStream(body, { signal })) {
        if (signal.aborted) return
        if (event.event === 'meta') {
          const { sources, model, answered } = event
          setOutcome({ kind: 'answer', text: '', sources, model, isAnswered: answered, isDone: false })
        } else
          setOutcome((before) => {
            if (before.kind !== 'answer') return before
            return event.event === 'done'
              ? { ...before, text: event.answer, isDone: true }
              : { ...before, text: before.text + event.delta }
          })
      }
    })
  }

  const isReady = query.trim() !== '' && known.length > 0
  return (
    <>
      <header class="page-head">
        <h1>Search and ask</h1>
      </header>
      {list.error ? <Problem error={list.error} retry={() => void list.refetch()} /> : null}
      {list.isPending ? <Skeleton /> : null}
      {list.data?.length === 0 ? (
        <Empty title="Nothing to search yet">
          <p>
            <a href={routeTo('namespaces')}>Create a namespace</a> and add documents or files.
          </p>
        </Empty>
      ) : null}
      {namespaces.length > 0 ? (
        <form
          class="search-form"
          onSubmit={(event) => {
            event.preventDefault()
            void search()
          }}
        >
          <div class="search-line">
            <input
              type="search"
              aria-label="Query or question"
              placeholder={isVector ? 'A vector: [0.12, -0.4, …]' : 'What are you looking for?'}
              value={query}
              onInput={(event) => setQuery(event.currentTarget.value)}
            />
            <button type="submit" class="button primary" disabled={!isReady}>
              Search
            </button>
            <button
              type="button"
              class="button"
              disabled={!isReady || isVector || known.length !== 1}
              title={known.length > 1 ? 'An answer is drawn from one namespace' : undefined}
              onClick={() => void ask()}
            >
              Ask
            </button>
          </div>
          <NamespaceChoice namespaces={namespaces} chosen={known} onChange={setChosen} />
          <details class="options">
            <summary>Mode, number of hits and filter{filter ? ' · filtered' : ''}</summary>
            <div class="option-row">
              <Field label="Mode">
                {(id) => (
                  <select
                    id={id}
                    value={mode}
                    disabled={isVector}
                    onChange={(event) => setMode(event.currentTarget.value as Mode)}
                  >
                    {Object.entries(modes).map(([name, label]) => (
                      <option key={name} value={name}>
                        {label}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              <Field label="Hits">
                {(id) => (
                  <input
                    id={id}
                    type="number"
                    min={1}
                    max={100}
                    value={topK}
                    onInput={(event) => setTopK(Math.max(1, Math.round(Number(event.currentTarget.value)) || 1))}
                  />
                )}
              </Field>
            </div>
            <FilterForm conditions={conditions} onChange={setConditions} />
          </details>
        </form>
      ) : null}
      {lastRequest && outcome.kind !== 'none' ? (
        <p class="copy-line">
          <button type="button" class="button small" onClick={() => setCopying(true)}>
            Copy as curl, TypeScript or Python
          </button>
        </p>
      ) : null}
      {outcome.kind === 'searching' ? <Skeleton rows={5} /> : null}
      {outcome.kind === 'problem' ? <Problem error={outcome.error} /> : null}
      {outcome.kind === 'hits' ? <HitList hits={outcome.hits} query={outcome.query} /> : null}
      {outcome.kind === 'answer' ? <AnswerView outcome={outcome} /> : null}
      {isCopying && lastRequest ? <CopyDialog request={lastRequest} onClose={() => setCopying(false)} /> : null}
    </>
  )
}
