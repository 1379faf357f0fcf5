import { type AnswerSource, filePartOf, type Hit, type Hits } from '@cairn/client'
import { useMemo, useState } from 'preact/hooks'
import { duration, plural } from '../format.ts'
import { Badge, CopyButton, Empty, Metadata, Meter, Problem } from '../parts.tsx'
import { withParams } from '../router.ts'
import { highlight, markQuotes, type Piece, shorten, type TextRange } from './highlight.ts'
import { MarkedText } from './marked-text.tsx'
import { type AnswerOutcome, marksParam, type Outcome, searchTimes } from './outcome.ts'

const Passage = ({ pieces: whole }: { readonly pieces: readonly Piece[] }) => {
  const [isWhole, setWhole] = useState(false)
  const short = shorten(whole)
  return (
    <div class="passage">
      <MarkedText pieces={isWhole ? whole : short} />
      {short.some(({ kind }) => kind === 'cut') ? (
        <button type="button" class="link" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show full text'}
        </button>
      ) : null}
    </div>
  )
}

const Score = ({ hit: { score, explanation } }: { readonly hit: Hit }) => (
  <p class="score">
    <Meter share={score} />
    <strong>{score.toFixed(3)}</strong>
    {explanation?.semantic === undefined ? null : <span class="muted">semantic {explanation.semantic.toFixed(3)}</span>}
    {explanation?.lexical === undefined ? null : <span class="muted">lexical {explanation.lexical.toFixed(3)}</span>}
    {explanation?.bm25 === undefined ? null : <span class="muted">BM25 {explanation.bm25.toFixed(2)}</span>}
  </p>
)

type HitLinkProps = { readonly hit: Hit | AnswerSource; readonly ranges: readonly TextRange[] }
/** Names a part of a file by its place in words. */
const HitLink = ({ hit, ranges }: HitLinkProps) => {
  const { namespace, id } = hit
  const part = filePartOf(hit)
  return (
    <a
      class={part ? 'breakable' : 'mono breakable'}
      title={part && id}
      href={withParams(location.hash, { open: `${namespace}/${id}`, mark: marksParam(ranges) })}
    >
      {part?.text ?? id}
    </a>
  )
}

const HitText = ({ hit, query }: { readonly hit: Hit; readonly query: string }) => {
  // The page is rendered at each key press in the query.
  const pieces = useMemo(() => highlight(hit.text, hit.highlights ?? [], query), [hit, query])
  return hit.text === '' ? <p class="muted">No text.</p> : <Passage pieces={pieces} />
}

const HitRow = ({ hit, query }: { readonly hit: Hit; readonly query: string }) => (
  <li class="hit">
    <header>
      <HitLink hit={hit} ranges={hit.highlights ?? []} />
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

const HitList = ({ hits, query }: { readonly hits: Hits; readonly query: string }) => (
  <section aria-label="Hits">
    <p class="result-line" role="status">
      <strong>{plural(hits.results.length, 'hit')}</strong>
      <span>in {duration(hits.execution_time)}</span>
      <span class="muted">{searchTimes(hits)}</span>
    </p>
    {hits.degraded ? (
      <Problem
        error={new Error(`Results may be incomplete: the index of ${hits.degraded.join(', ')} is being restored.`)}
      />
    ) : null}
    {hits.results.length === 0 ? (
      <Empty title="No results">
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

const Sources = ({ sources, isAnswered, text: answer }: Pick<AnswerOutcome, 'sources' | 'isAnswered' | 'text'>) => (
  <ol class="hits">
    {sources.map((source) => (
      <li class="hit" key={`${source.namespace}/${source.id}`}>
        <header>
          <HitLink hit={source} ranges={(isAnswered && source.passages) || []} />
          <Badge>{source.namespace}</Badge>
          <span class="muted">{source.score.toFixed(3)}</span>
        </header>
        <Passage pieces={markQuotes(source.text, isAnswered ? answer : '')} />
      </li>
    ))}
  </ol>
)

type AnswerTextProps = Pick<AnswerOutcome, 'text' | 'sources' | 'model' | 'isAnswered' | 'isDone'>
/** What only comes near the question must not look like an answer. */
const AnswerText = ({ text, sources, model, isAnswered, isDone }: AnswerTextProps) => {
  const [said = '', nearest] = isAnswered ? [text] : text.split(/ Nearest: (.*)/s)
  const quoted = sources.find((each) => markQuotes(each.text, nearest ?? text).some(({ kind }) => kind === 'marked'))
  const place = quoted && (
    <>
      <HitLink hit={quoted} ranges={quoted.passages} /> <Badge>{quoted.namespace}</Badge>
    </>
  )
  return (
    <>
      <div class={isAnswered ? 'answer-text' : 'answer-text not-said'} aria-live="polite" aria-busy={!isDone}>
        <MarkedText pieces={[{ text: said, kind: 'plain' }]} />
        {nearest === undefined ? null : (
          <p class="muted">
            Nearest: <q>{nearest}</q> {place ? <>from {place}</> : null}
          </p>
        )}
        {isDone ? null : <span class="caret" aria-hidden="true" />}
      </div>
      {isAnswered ? (
        <p class="muted">
          {model === 'extractive' ? (
            <>Quoted from {place ?? 'the sources'}; no language model wrote it.</>
          ) : (
            `Written by ${model} from the sources.`
          )}{' '}
          {isDone ? <CopyButton text={text} label="Copy text" /> : null}
        </p>
      ) : null}
    </>
  )
}

const AnswerView = ({ question, namespaces, ...answer }: AnswerOutcome) => (
  <section aria-label="Answer" class="answer">
    <p class="muted">
      “{question}” was asked in{' '}
      <strong>{namespaces.length > 3 ? `${namespaces.length} namespaces` : namespaces.join(', ')}</strong>.
    </p>
    <AnswerText {...answer} />
    {answer.sources.length > 0 ? (
      <>
        <h2>{answer.isAnswered ? 'Sources' : 'Search results'}</h2>
        <Sources {...answer} />
      </>
    ) : null}
  </section>
)

export const OutcomeView = ({ outcome }: { readonly outcome: Outcome }) =>
  outcome.kind === 'hits' ? <HitList {...outcome} /> : <AnswerView {...outcome} />
