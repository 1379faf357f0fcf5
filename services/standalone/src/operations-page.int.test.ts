import { readFileSync } from 'node:fs'
import { operations } from '@cairn/contracts/api/operations'
import { events } from '@cairn/contracts/events'
import { fileTypes } from '@cairn/contracts/files/file-rules'
import { eventually } from '@cairn/testing/eventually'
import { expect, it } from 'vitest'
import { tracedSystem } from './traced-system.fixture.ts'

type Row = { readonly name: string; readonly type: string; readonly labels: readonly string[] }

const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
const documented: Row[] = [...page.matchAll(/^\| `((?:cairn|process)_\w+)` \| (\w+) \|([^|]*)\|/gm)].map(
  ([, name = '', type = '', labels = '']) => ({
    name,
    type,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
  }),
)

const services = new Set(['ingestion', 'deletion', 'file-pipeline'])
const steps = [
  'read',
  'cut',
  'embed',
  'index',
  'mark',
  'reuse',
  'settle',
  'wake',
  'complete',
  'note',
  'fetch',
  'summarise',
  'submit',
  'wait',
  'publish',
  'clean',
]
/** Predicates that accept the valid values of each label. */
const values: Readonly<Record<string, (value: string) => boolean>> = {
  route: (value) =>
    value === 'unmatched' || value === '/files/{+key}' || Object.values(operations).some(({ path }) => path === value),
  method: (value) => ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'].includes(value),
  status: (value) => /^[1-5]\d\d$/.test(value),
  group: (value) => events.some(({ group }) => group === value),
  service: (value) => services.has(value),
  outcome: (value) => ['done', 'again', 'failed', 'lost'].includes(value),
  stage: (value) => steps.includes(value),
  store: (value) => ['metadata', 'vectors', 'bus', 'files', 'embedder', 'answerer'].includes(value),
  reason: (value) => ['unavailable', 'internal'].includes(value),
  type: (value) => fileTypes.some((type) => type === value),
  le: (value) => value === '+Inf' || Number.isFinite(Number(value)),
}

it('lists exactly the metrics that are exposed, and their labels have values of fixed sets', {
  timeout: 30_000,
}, async () => {
  const { call, uploaded, url } = await tracedSystem()
  await call('POST', 'namespaces', { namespace_name: 'a-name-of-a-user', type: 'text' })
  await uploaded('a-name-of-a-user', [{ id: 'an-id-of-a-user', text: 'Cairns are piles of stones that mark a path.' }])
  const form = new FormData()
  form.append('file', new Blob(['Cairns are piles of stones that mark a path. '.repeat(40)]), 'a-file-of-a-user.txt')
  await call('POST', 'namespaces/a-name-of-a-user/upload-file', form)
  const state = async () =>
    (await call('GET', 'namespaces/a-name-of-a-user/files/a-file-of-a-user.txt/status')).body['state']
  await eventually(state, (now) => now === 'completed', { withinMs: 20_000, everyMs: 50 })
  await call('GET', 'namespaces/no-such-name')
  const text = await (await fetch(`${url()}/metrics`)).text()

  const exposed = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({ name, type }))
  const sorted = <T extends { readonly name: string }>(rows: readonly T[]) =>
    rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  expect(sorted(exposed)).toEqual(sorted(documented.map(({ name, type }) => ({ name, type }))))

  const samples = [...text.matchAll(/^((?:cairn|process)_\w+)(?:\{(.*)\})? \S+$/gm)]
  expect(samples.length).toBeGreaterThan(100)
  const faults = samples.flatMap(([line, name = '', inner = '']) => {
    const row = documented.find(
      (one) => name === one.name || (one.type === 'histogram' && name.replace(/_(bucket|sum|count)$/, '') === one.name),
    )
    return [...inner.matchAll(/(\w+)="([^"]*)"/g)].flatMap(([, label = '', value = '']) => {
      const isListed = row?.labels.includes(label) || (label === 'le' && row?.type === 'histogram')
      return isListed && values[label]?.(value) ? [] : [line]
    })
  })
  expect(faults).toEqual([])
  expect(text).not.toContain('of-a-user')
  for (const { name, labels } of documented)
    if (labels.length > 0 && !name.includes('rebalances'))
      expect(text, name).toMatch(new RegExp(`^${name}(_bucket)?\\{`, 'm'))
})

it('lists every alert of the runbook with a metric that there is', () => {
  const runbook = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8')
  const named = new Set([...runbook.matchAll(/\bcairn_[a-z_]+[a-z]\b/g)].map(([name]) => name))
  expect(named.size).toBeGreaterThan(5)
  expect([...named].filter((name) => !documented.some((row) => row.name === name))).toEqual([])
})
