import type { Namespace, Retried } from '@cairn/client'
import { useState } from 'preact/hooks'
import { DropArea } from '../files/drop-area.tsx'
import { useUploads } from '../files/use-uploads.ts'
import { plural } from '../format.ts'
import { useNamespaces } from '../namespaces/use-namespaces.ts'
import { Badge, Button, Empty, NoPage, QueryStatus, Skeleton } from '../parts.tsx'
import { goTo, routeTo, withParams } from '../router.ts'
import { Documents } from './documents.tsx'
import { Evaluations } from './evaluations.tsx'
import { Files } from './files.tsx'
import { ModelPage } from './model.tsx'
import { Reextract } from './reextract.tsx'
import { mayRetry, RetryFailed, useFailed } from './retry-failed.tsx'
import { Vectors } from './vectors.tsx'

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
        </div>
        <div class="actions">
          {namespace.type === 'text' ? <Reextract namespace={name} /> : null}{' '}
          {failures ? <Button label={failures} onClick={() => setRetrying(true)} /> : null}{' '}
          <a class="button" href={withParams(routeTo('search'), { ns: name })}>
            Search
          </a>
        </div>
      </header>
      {isRetrying ? <RetryFailed namespace={name} onClose={() => setRetrying(false)} /> : null}
    </>
  )
}

const tabs = { documents: 'Documents', files: 'Files', evaluations: 'Evaluations', model: 'Model' }

type Route = { readonly route: readonly string[] }

const Texts = ({ namespace, route }: Route & { readonly namespace: Namespace }) => {
  const { namespace_name: name, item_count: count } = namespace
  const uploads = useUploads(name)
  const upload = (files: readonly File[]) => {
    uploads.upload(files)
    if (tab !== 'files') goTo(routeTo('namespaces', name, 'files'))
  }
  const [tab = 'documents', item] = route
  const content = () => {
    if (tab === 'files') return <Files namespace={name} selected={item} uploads={uploads} />
    if (tab === 'evaluations') return <Evaluations namespace={name} />
    if (tab === 'model') return <ModelPage namespace={namespace} />
    return tab === 'documents' ? <Documents namespace={name} selected={item} count={count} /> : <NoPage />
  }
  return (
    <DropArea namespace={name} onFiles={upload}>
      <nav class="tabs" aria-label="Content">
        {Object.entries(tabs).map(([key, label]) => (
          <a key={key} href={routeTo('namespaces', name, key)} aria-current={tab === key ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {content()}
    </DropArea>
  )
}

export const NamespacePage = ({ name, route }: Route & { readonly name: string }) => {
  const list = useNamespaces()
  const { data: failed } = useFailed(name)
  const namespace = list.data?.find((each) => each.namespace_name === name)
  // A namespace created elsewhere is missing in a list that was read earlier.
  if (list.data && !namespace && !list.isFetchedAfterMount) return <Skeleton rows={8} />
  if (!list.data) return <QueryStatus query={list} rows={8} />
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
      <QueryStatus query={list} />
      <Head namespace={namespace} failed={failed} />
      {namespace.type === 'text' ? (
        <Texts namespace={namespace} route={route} />
      ) : (
        <Vectors namespace={namespace} selected={route[1]} />
      )}
    </>
  )
}
