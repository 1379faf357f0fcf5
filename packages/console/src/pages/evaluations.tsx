import type { Evaluation } from '@cairn/client'
import { useQuery } from '@tanstack/preact-query'
import { age, change, dateTime, number } from '../format.ts'
import { Empty, QueryStatus, Table } from '../parts.tsx'
import { idleMs, useApi } from '../session.ts'

const columns = ['Time', 'Mode', 'Model', 'Questions', 'nDCG@10', 'Recall@10', 'Change of nDCG@10'] as const

const Row = ({ evaluation }: { readonly evaluation: Evaluation }) => {
  const { evaluated_at: at, mode, model, questions, ndcg_at_10: ndcg, recall_at_10: recall } = evaluation
  const { change: from } = evaluation
  return (
    <tr>
      <th scope="row" title={dateTime(at)}>
        {age(at)}
      </th>
      <td data-label="Mode">{mode}</td>
      <td data-label="Model" class="mono muted">
        {model}
      </td>
      <td data-label="Questions" class="numeric">
        {number(questions)}
      </td>
      <td data-label="nDCG@10" class="numeric">
        {ndcg.toFixed(3)}
      </td>
      <td data-label="Recall@10" class="numeric">
        {recall.toFixed(3)}
      </td>
      <td data-label="Change of nDCG@10" title={from ? `against ${from.mode}, ${from.model}` : undefined}>
        {from ? `${change(from.difference)}, ${from.significant ? 'significant' : 'not significant'}` : '–'}
      </td>
    </tr>
  )
}

export const Evaluations = ({ namespace }: { readonly namespace: string }) => {
  const api = useApi()
  const query = useQuery({
    queryKey: ['evaluations', namespace],
    queryFn: () => api.evaluations.list(namespace),
    refetchInterval: idleMs,
  })
  const { data: evaluations } = query
  return (
    <>
      <QueryStatus query={query} />
      {evaluations?.length === 0 ? (
        <Empty title="No evaluations yet">
          <p>
            Measure how well this namespace is searched, by questions with known answers:{' '}
            <code>cairn eval {namespace} questions.jsonl</code>
          </p>
        </Empty>
      ) : null}
      {evaluations && evaluations.length > 0 ? (
        <Table columns={columns} numeric={['Questions', 'nDCG@10', 'Recall@10']}>
          {evaluations.map((evaluation) => (
            <Row key={evaluation.evaluation_id} evaluation={evaluation} />
          ))}
        </Table>
      ) : null}
    </>
  )
}
