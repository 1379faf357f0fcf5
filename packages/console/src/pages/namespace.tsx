import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { number, plural } from '../format.ts'
import { Badge, Empty, Problem, Skeleton } from '../parts.tsx'
import { routeTo } from '../router.ts'
import { idleMs, useApi } from '../session.ts'
import { Documents } from './documents.tsx'
import { Files } from './files.tsx'
import { Reextract } from './reextract.tsx'
import { mayRetry, RetryFailed, useFailed } from './retry-failed.tsx'

type Props = { readonly name: string; readonly route: readonly string[] }

/** One namespace: its documents, and its files. */
export const NamespacePage = ({ name, route }: Props) => {
  const api = useApi()
  const [isRetrying, setRetrying] = useState(false)
  const list = useQuery({ queryKey: ['namespaces'], queryFn: () => api.namespaces.list(), refetchInterval: idleMs })
  const namespace = list.data?.find((each) => each.namespace_name === name)
  const { data: failed } = useFailed(name)
  const failures = failed && mayRetry(failed) ? 'Retry failed' : failed?.refused.length ? 'What failed' : undefined
  const [tab = 'documents', item] = route
  // One that was created elsewhere is not in the list that was read before.
  if (list.isPending || (!namespace && !list.isFetchedAfterMount)) return <Skeleton rows={8} />
  if (list.error && !list.data) return <Problem error={list.error} retry={() => void list.refetch()} />
  if (!namespace)
    return (
      <Empty title="There is no such namespace">
        <p>
          It was deleted, or belongs to another account. <a href={routeTo('namespaces')}>See all namespaces.</a>
        </p>
      </Empty>
    )
  const isText = namespace.type === 'text'
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
        </div>
        <div class="actions">
          {isText ? <Reextract namespace={name} /> : null}{' '}
          {failures ? (
            <button type="button" class="button" onClick={() => setRetrying(true)}>
              {failures}
            </button>
          ) : null}{' '}
          <a class="button" href={routeTo('search', name)}>
            Search
          </a>
        </div>
      </header>
      {isRetrying ? <RetryFailed namespace={name} onClose={() => setRetrying(false)} /> : null}
      {isText ? (
        <>
          <nav class="tabs" aria-label="Content">
            <a href={routeTo('namespaces', name)} aria-current={tab === 'documents' ? 'page' : undefined}>
              Documents
            </a>
            <a href={routeTo('namespaces', name, 'files')} aria-current={tab === 'files' ? 'page' : undefined}>
              Files
            </a>
          </nav>
          {tab === 'files' ? (
            <Files namespace={name} selected={item} />
          ) : (
            <Documents namespace={name} selected={item} count={namespace.item_count} />
          )}
        </>
      ) : (
        <Empty title={`${number(namespace.item_count)} vectors`}>
          <p>
            Vectors are uploaded and deleted by their ids and cannot be listed.{' '}
            <a href={routeTo('search', name)}>Search them</a> with a vector.
          </p>
        </Empty>
      )}
    </>
  )
}
