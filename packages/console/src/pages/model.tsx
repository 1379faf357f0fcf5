import type { Namespace, StartReindex } from '@cairn/client'
import { useMutation, useQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import { describeModel, useModels } from '../models.tsx'
import { languageName } from '../namespaces/language-select.tsx'
import { Metadata, Problem, QueryStatus, Section } from '../parts.tsx'
import { useInvalidate } from '../queries.ts'
import { ReindexView, type Step } from '../reindex/reindex-view.tsx'
import { StartForm } from '../reindex/start-reindex.tsx'
import { idleMs, useApi, useCanWrite } from '../session.ts'

export const ModelPage = ({ namespace }: { readonly namespace: Namespace }) => {
  const { namespace_name: name, model, language } = namespace
  const api = useApi()
  const invalidate = useInvalidate()
  const canWrite = useCanWrite()
  const models = useModels()
  const queryKey = ['reindex', name]
  const reindex = useQuery({
    queryKey,
    queryFn: async () => (await api.reindexes.get(name)) ?? null,
    refetchInterval: ({ state }) => (state.data && state.data.phase !== 'kept' ? 1_000 : idleMs),
  })
  const searched = reindex.data?.model
  useEffect(() => {
    if (searched !== undefined && searched !== model) void invalidate(['namespaces'])
  }, [searched, model, invalidate])
  const start = useMutation({
    mutationFn: (how: StartReindex) => api.reindexes.start(name, how),
    onSettled: () => invalidate(queryKey),
  })
  const step = async (which: Step) => {
    await api.reindexes[which](name)
    await invalidate(queryKey)
  }
  const current = models.data?.find((each) => each.name === model)
  const facts = {
    Model: model ?? '',
    ...(current ? { Use: describeModel(current) } : {}),
    Language: language === 'none' ? 'None: words are found as they are written' : languageName(language ?? 'en'),
  }
  return (
    <>
      <Metadata value={facts} />
      <Section heading={reindex.data ? 'Change of the model' : 'Change the model'}>
        <QueryStatus query={reindex} rows={3} />
        <QueryStatus query={models} rows={1} />
        {start.error ? <Problem error={start.error} /> : null}
        {reindex.data ? <ReindexView reindex={reindex.data} onStep={step} /> : null}
        {canWrite && reindex.data === null && models.data ? (
          <StartForm
            key={model}
            namespace={namespace}
            models={models.data}
            start={start.mutate}
            isStarting={start.isPending}
          />
        ) : null}
      </Section>
    </>
  )
}
