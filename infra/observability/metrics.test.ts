import { readFileSync } from 'node:fs'
import { createMetrics } from '@cairn/runtime/process/metrics'
import { describe, expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)

const rules = read('prometheus/rules.yml')
const dashboard = read('grafana/dashboards/cairn.json')
const runbook = read('../../docs/runbook.md')

/**
 * Returns the names of all time series that a scrape can contain, including the `_bucket`, `_sum` and `_count` series
 * of histograms.
 */
const measured = async (): Promise<ReadonlySet<string>> => {
  const { body } = await createMetrics().scrape()
  const ofKind = (kind: string) => all(body, new RegExp(`^# TYPE (\\w+) ${kind}$`, 'gm'))
  const parts = ofKind('histogram').flatMap((name) => ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`))
  return new Set([...ofKind('counter'), ...ofKind('gauge'), ...parts])
}

describe.each(Object.entries({ rules, dashboard }))('%s', (_, text) => {
  it('ask for nothing that is not measured', async () => {
    const known = await measured()
    const asked = all(text, /\b(cairn_\w+)/g)
    expect(asked.length).toBeGreaterThan(8)
    expect(asked.filter((name) => !known.has(name))).toEqual([])
  })

  it('ask for no recorded rule that is not there', () => {
    const recorded = all(rules, /record: (\S+)/g)
    expect(all(text, /\b(cairn:[\w:]+)/g).filter((name) => !recorded.includes(name))).toEqual([])
  })
})

it('has an entry in the runbook for every alert, and shows each of them firing', () => {
  const alerts = all(rules, /alert: (\w+)/g)
  expect(alerts.length).toBeGreaterThan(8)
  const shown = all(read('prometheus/rules.test.yml'), /alertname: (\w+)\n.*\n\s+exp_alerts:\n/g)
  expect([...new Set(shown)].sort()).toEqual([...alerts].sort())
  expect([...new Set(all(runbook, /`(Cairn\w+)`/g))].sort()).toEqual([...alerts].sort())
})
