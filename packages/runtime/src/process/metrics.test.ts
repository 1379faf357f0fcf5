import { expect, it } from 'vitest'
import { createMetrics, type Metrics } from './metrics.ts'

const scraped = async (metrics: Metrics) => (await metrics.scrape()).body.split('\n')

it('counts and times requests by route, method and status', async () => {
  const metrics = createMetrics()
  metrics.request({ route: '/v1/namespaces/:name', method: 'GET', status: 200, seconds: 0.02 })
  metrics.request({ route: '/v1/namespaces/:name', method: 'BREW', status: 404, seconds: 0.02 })
  const lines = await scraped(metrics)
  expect(lines).toContain('cairn_http_requests_total{route="/v1/namespaces/:name",method="GET",status="200"} 1')
  expect(lines).toContain('cairn_http_requests_total{route="/v1/namespaces/:name",method="other",status="404"} 1')
  expect(lines).toContain(
    'cairn_http_request_duration_seconds_bucket{le="0.025",route="/v1/namespaces/:name",method="GET"} 1',
  )
})

it('keeps the number of label values bounded', async () => {
  const metrics = createMetrics()
  for (let n = 0; n < 1_000; n++) metrics.request({ route: `/v1/${n}`, method: 'GET', status: 404, seconds: 0.01 })
  const counted = (await scraped(metrics)).filter((line) => line.startsWith('cairn_http_requests_total{'))
  expect(counted).toHaveLength(201)
  expect(counted).toContain('cairn_http_requests_total{route="other",method="GET",status="404"} 800')
})

it('counts due jobs when asked, and leaves out what does not answer', async () => {
  const metrics = createMetrics()
  let broken = false
  for (const service of ['ingestion', 'deletion']) metrics.group(service)
  metrics.dueJobs('ingestion', async () => {
    if (broken) throw new Error('no answer')
    return { jobs: 3, oldestMs: 1_500 }
  })
  metrics.dueJobs('deletion', async () => ({ jobs: 0, oldestMs: 0 }))
  expect(await scraped(metrics)).toEqual(
    expect.arrayContaining([
      'cairn_due_jobs{service="ingestion"} 3',
      'cairn_due_jobs_oldest_seconds{service="ingestion"} 1.5',
      'cairn_due_jobs{service="deletion"} 0',
    ]),
  )
  broken = true
  const lines = await scraped(metrics)
  expect(lines.filter((line) => /^cairn_due/.test(line) && line.includes('ingestion'))).toEqual([])
  // The counter starts at 0 before the first unreadable message, because `increase` ignores the first value of a series.
  expect(lines).toContain('cairn_unreadable_messages_total{group="ingestion"} 0')
  expect(lines).toContain('cairn_due_jobs{service="deletion"} 0')
})

it('counts jobs and unreadable messages, and times stages', async () => {
  const metrics = createMetrics()
  const { job, stage } = metrics.observe('ingestion')
  job('done')
  stage('embed', 0.2)
  metrics.unreadableMessage('ingestion')
  expect(await scraped(metrics)).toEqual(
    expect.arrayContaining([
      'cairn_jobs_total{service="ingestion",outcome="done"} 1',
      'cairn_stage_seconds_count{service="ingestion",stage="embed"} 1',
      'cairn_unreadable_messages_total{group="ingestion"} 1',
    ]),
  )
})

it('prefixes its own names and reports memory and processor time', async () => {
  const { body, contentType } = await createMetrics().scrape()
  expect(contentType).toContain('text/plain')
  const names = body.match(/^# TYPE (\S+)/gm)?.map((line) => line.split(' ')[2])
  expect(names?.filter((name) => !name?.startsWith('cairn_'))).toEqual([
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
  ])
  expect(body).toMatch(/^process_resident_memory_bytes \d{7,}/m)
  expect(body).toMatch(/^process_cpu_seconds_total 0?\.?\d/m)
  expect(body).not.toMatch(/cairn_queue|cairn_process_(resident|cpu)/)
})

it('keeps what reading files took, by type: how often how much, and the most', async () => {
  const metrics = createMetrics()
  metrics.reading('pdf', { ms: 1_500, peakBytes: 200 * 1024 ** 2 })
  metrics.reading('pdf', { ms: 700, peakBytes: 90 * 1024 ** 2 })
  metrics.reading('txt', { ms: 40, peakBytes: 60 * 1024 ** 2 })
  expect(await scraped(metrics)).toEqual(
    expect.arrayContaining([
      'cairn_file_reading_seconds_bucket{le="1",type="pdf"} 1',
      'cairn_file_reading_seconds_count{type="pdf"} 2',
      'cairn_file_reading_longest_seconds{type="pdf"} 1.5',
      `cairn_file_reading_memory_bytes_bucket{le="${96 * 1024 ** 2}",type="pdf"} 1`,
      `cairn_file_reading_memory_peak_bytes{type="pdf"} ${200 * 1024 ** 2}`,
      `cairn_file_reading_memory_peak_bytes{type="txt"} ${60 * 1024 ** 2}`,
    ]),
  )
})
