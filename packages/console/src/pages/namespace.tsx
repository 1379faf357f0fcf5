import { multilingualModel, type Namespace, type Retried } from '@cairn/client'
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { number, plural } from '../format.ts'
import { Badge, Button, Empty, Problem, Skeleton } from '../parts.tsx'
import { routeTo } from '../router.ts'
import { idleMs, useApi } from '../session.ts'
import { Documents } from './documents.tsx'
import { Evaluations } from './evaluations.tsx'
import { Files } from './files.tsx'
import { Reextract } from './reextract.tsx'
import { mayRetry, RetryFailed, useFailed } from './retry-failed.tsx'

const Head = ({ namespace, failed }: { readonly namespace: Namespace; readonly failed: Retried | undefined }) => {
  const name = namespace.namespace_name
  const [isRetrying, setRetrying] = useState(false)
  const failures = failed && mayRetry(failed) ? 'Retry failed' : failed?.refused.length ? 'What failed' : undefined
  return (
    <>
      <header class="page-head">
        <div>
          <p class="crumbs">
            <a href={routeTo('namespaces')}>Namespaces</a>
          </p>
          <h1 class="name">{name}</h1>
          <p class="facts">
            <Badge>{namespace.type}</Badge>
            <span>{plural(namespace.item_count, 'item')}</span>
            <span class="mono">{namespace.model ?? `${namespace.vector_dimension} dimensions`}</span>
          </p>
          {namespace.unread_scripts?.length ? (
            <p class="muted">
              This model does not read {namespace.unread_scripts.join(', ')}; keyword ranking is used for such texts.{' '}
              {namespace.model === multilingualModel ? null : (
                <>
                  {multilingualModel} reads about 100 languages:{' '}
                  <code>
                    cairn reindex {name} --model {multilingualModel}
                  </code>
                </>
              )}
            </p>
          ) : null}
        </div>
        <div class="actions">
          {namespace.type === 'text' ? <Reextract namespace={name} /> : null}{' '}
          {failures ? <Button label={failures} onClick={() => setRetrying(true)} /> : null}{' '}
          <a class="button" href={routeTo('search', name)}>
            Search
          </a>
        </div>
      </header>
      {isRetrying ? <RetryFailed namespace={name} onClose={() => setRetrying(false)} /> : null}
    </>
  )
}

const Vectors = ({ namespace: { namespace_name: name, item_count: count } }: { readonly namespace: Namespace }) => (
  <Empty title={`${number(count)} vectors`}>
    <p>
      Vectors are uploaded and deleted by their ids and cannot be listed.{' '}
      <a href={routeTo('search', name)}>Search them</a> with a vector.
    </p>
  </Empty>
)

type Route = { readonly route: readonly string[] }

const Texts = ({ namespace, route }: Route & { readonly namespace: Namespace }) => {
  const { namespace_name: name, item_count: count } = namespace
  const [tab = 'documents', item] = route
  const content = () => {
    if (tab === 'files') return <Files namespace={name} selected={item} />
    if (tab === 'evaluations') return <Evaluations namespace={name} />
    return <Documents namespace={name} selected={item} count={count} />
  }
  return (
    <>
      <nav class="tabs" aria-label="Content">
        <a href={routeTo('namespaces', name)} aria-current={tab === 'documents' ? 'page' : undefined}>
          Documents
        </a>
        <a href={routeTo('namespaces', name, 'files')} aria-current={tab === 'files' ? 'page' : undefined}>
          Files
        </a>
        <a href={routeTo('namespaces', name, 'evaluations')} aria-current={tab === 'evaluations' ? 'page' : undefined}>
          Evaluations
        </a>
      </nav>
      {content()}
    </>
  )
}

/** One namespace: its documents, its files and its evaluations. */
export const NamespacePage = ({ name, route }: Route & { readonly name: string }) => {
  const api = useApi()
  const list = useQuery({ queryKey: ['namespaces'], queryFn: () => api.namespaces.list(), refetchInterval: idleMs })
  const { data: failed } = useFailed(name)
  const namespace = list.data?.find((each) => each.namespace_name === name)
  // A namespace that was created elsewhere is missing in a list that was read earlier.
  if (list.isPending || (!namespace && !list.isFetchedAfterMount)) return <Skeleton rows={8} />
  if (list.error && !list.data) return <Problem error={list.error} retry={() => void list.refetch()} />
  if (!namespace)
    return (
      <Empty title="Namespace not found">
        <p>
          It may have been deleted, or belong to another account.{' '}
          <a href={routeTo('namespaces')}>See all namespaces.</a>
        </p>
      </Empty>
    )
  return (
    <>
      <Head namespace={namespace} failed={failed} />
      {namespace.type === 'text' ? <Texts namespace={namespace} route={route} /> : <Vectors namespace={namespace} />}
    </>
  )
}
