import { expect, it } from 'vitest'
import { parseQueues } from './queues.ts'

it('reads the due jobs of each service and the age of the oldest', () => {
  const metrics = [
    '# TYPE cairn_due_jobs gauge',
    'cairn_due_jobs{service="ingestion"} 12',
    'cairn_due_jobs{service="deletion"} 0',
    'cairn_due_jobs_oldest_seconds{service="ingestion"} 1.5e+3',
    'cairn_due_jobs_total{service="other"} 7',
  ].join('\n')
  expect(parseQueues(metrics)).toEqual([
    { service: 'ingestion', jobs: 12, oldestSeconds: 1_500 },
    { service: 'deletion', jobs: 0, oldestSeconds: 0 },
  ])
})

it('finds no queue in other metrics', () => {
  expect(parseQueues('process_cpu_seconds_total 1\n')).toEqual([])
})
