import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { lets, type Place } from './policy-model.ts'
import { describeWithHelm, type Manifest, ofKind, podsOf, type Rendering } from './rendered.ts'

const anywhere = { ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8', '169.254.0.0/16'] } }
const inNamespace = (name: string) => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } })

/** The production example with every optional destination: a model to download and a model API to call. */
const withModels = {
  embedder: {
    cache: { existingClaim: '' },
    openai: { url: 'http://tei.models:8080/v1', model: 'bge', dimension: 384 },
  },
  networkPolicy: { modelHub: { to: [anywhere] }, openai: { to: [inNamespace('models')] } },
}

const pod = (namespace: string, labels: Readonly<Record<string, string>>, address = '10.1.2.3'): Place => ({
  address,
  pod: { namespace, labels },
})
const out = (place: Place, port: number, protocol: 'TCP' | 'UDP' = 'TCP') => ({ place, port, protocol })

/** Destinations that at least one process may reach. */
const destinations = {
  DNS: out(pod('kube-system', { 'k8s-app': 'kube-dns' }), 53, 'UDP'),
  Kafka: out(pod('data', { app: 'kafka' }), 9092),
  MongoDB: out(pod('data', { app: 'mongodb' }), 27017),
  Qdrant: out(pod('data', { app: 'qdrant' }), 6333),
  S3: out(pod('data', { app: 'minio' }), 9000),
  'model hub': out({ address: '203.0.113.9' }, 443),
  'embedding server': out(pod('models', { app: 'tei' }), 8080),
  'answering model': out(pod('models', { app: 'vllm' }), 8000),
}

/** Destinations that no process may reach: the usual next targets of an attacker who controls a service. */
const refused = [
  out({ address: '203.0.113.9' }, 80),
  out({ address: '10.0.0.1' }, 443),
  out({ address: '169.254.169.254' }, 80),
  out({ address: '169.254.169.254' }, 443),
  out(pod('data', { app: 'postgres' }), 5432),
  out(pod('data', { app: 'kafka' }), 22),
  out(pod('monitoring', { app: 'prometheus' }), 9090),
  out(pod('cairn', { app: 'another-product' }), 443),
]

const callers = {
  'ingress controller': pod('ingress-nginx', { app: 'controller' }),
  Prometheus: pod('monitoring', { app: 'prometheus' }),
  'clients of the edge store': pod('cairn', { app: 'counter' }),
}

const strangers = [
  pod('shop', { app: 'web' }),
  pod('cairn', { app: 'another-product' }),
  pod('data', { app: 'kafka' }),
  { address: '203.0.113.9' },
]

const processes = ['gateway', 'namespace', 'ingestion', 'file-pipeline', 'deletion', 'setup', 'edge'] as const

/** Returns the network policies as Kubernetes applies them, and the pods they select. */
const read = ({ manifests }: Rendering) => {
  const policies = ofKind(manifests, 'NetworkPolicy').map((one) => ({
    ...one,
    metadata: { ...one.metadata, namespace: 'cairn' },
  }))
  const pods = new Map(
    [...podsOf(manifests)].map(([name, { metadata }]) => [name, pod('cairn', metadata.labels, '10.1.9.9')]),
  )
  return { policies, placeOf: (name: string) => pods.get(name) ?? pod('cairn', {}) }
}

const yes = (is: boolean) => (is ? 'yes' : 'no')

/** Returns the rows expected in the first table: each process and its allowed destinations. */
const waysOut = (rendering: Rendering): string[][] => {
  const { policies, placeOf } = read(rendering)
  return processes.map((name) => {
    const reaches = ({ place, port, protocol }: (typeof refused)[number]) =>
      lets(policies, 'out', placeOf(name), place, { port, protocol })
    const siblings = processes.some((other) => [3_000, 8_080].some((port) => reaches(out(placeOf(other), port))))
    return [
      name,
      ...Object.values(destinations).map((one) => yes(reaches(one))),
      yes(siblings),
      yes(refused.some(reaches)),
    ]
  })
}

/** Returns the rows expected in the second table: each process, its port, and the allowed callers of that port. */
const waysIn = (rendering: Rendering): string[][] => {
  const { policies, placeOf } = read(rendering)
  return processes.map((name) => {
    const port = name === 'edge' ? 8_080 : 3_000
    const admits = (from: Place, to = port) => lets(policies, 'in', placeOf(name), from, { port: to })
    const everybody = [...Object.values(callers), ...strangers, ...processes.map(placeOf)]
    const elsewhere = everybody.some((from) => [22, 443, 9_229].some((other) => admits(from, other)))
    const known = Object.values(callers).map((from) => yes(admits(from)))
    const siblings = processes.some((other) => admits(placeOf(other)))
    const isClosed = !everybody.some((from) => admits(from))
    return [
      name,
      isClosed ? 'none' : String(port),
      ...known,
      yes(siblings),
      yes(strangers.some((from) => admits(from)) || elsewhere),
    ]
  })
}

/** Returns the rows, with the header, of the table whose header begins with this cell. */
const tableOf = (first: string): string[][] => {
  const lines = readFileSync(new URL('../../docs/deployment.md', import.meta.url), 'utf8').split('\n')
  const from = lines.findIndex((line) => line.startsWith(`| ${first} |`))
  const rest = lines.slice(from)
  const rows = rest.slice(
    0,
    rest.findIndex((line) => !line.startsWith('|')),
  )
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

describeWithHelm('network policies', (tools) => {
  it('let out what docs/deployment.md says, and nothing else', async () => {
    const [head, , ...rows] = tableOf('Way out of')
    expect(head).toEqual(['Way out of', ...Object.keys(destinations), 'pods of Cairn', 'anything else'])
    expect(rows).toEqual(waysOut(await tools.render('production', withModels)))
  })

  it('let in what docs/deployment.md says, and nobody else', async () => {
    const [head, , ...rows] = tableOf('Way into')
    expect(head).toEqual(['Way into', 'port', ...Object.keys(callers), 'pods of Cairn', 'anybody else'])
    expect(rows).toEqual(waysIn(await tools.render('production', withModels)))
  })

  it('can be told by a rule that is too wide', async () => {
    const rendering = await tools.render('production', withModels)
    const open = (name: string, change: object) => ({
      ...rendering,
      manifests: rendering.manifests.map((one) =>
        one.kind === 'NetworkPolicy' && one.metadata.name === name ? { ...one, spec: { ...one.spec, ...change } } : one,
      ),
    })
    expect(waysOut(open('cairn-namespace', { egress: [{ to: [] }] }))[1]?.at(-1)).toBe('yes')
    expect(waysOut(open('cairn-ingestion', { egress: [{ to: [anywhere] }] }))[2]?.at(-1)).toBe('yes')
    expect(waysIn(open('cairn-deletion', { ingress: [{}] }))[4]?.at(-1)).toBe('yes')
  })

  it('reach managed engines by address and by the ports of their addresses', async () => {
    const { policies, placeOf } = read(await tools.render('managed'))
    const reaches = (name: string, address: string, port: number) =>
      lets(policies, 'out', placeOf(name), { address }, { port })
    expect(reaches('ingestion', '10.20.0.7', 9_096)).toBe(true)
    expect(reaches('ingestion', '10.20.0.7', 9_092)).toBe(false)
    expect(reaches('ingestion', '10.20.1.7', 27_017)).toBe(true)
    expect(reaches('ingestion', '203.0.113.8', 6_333)).toBe(true)
    expect(reaches('ingestion', '192.0.2.1', 443)).toBe(true)
    expect(reaches('ingestion', '169.254.169.254', 443)).toBe(false)
    expect(reaches('file-pipeline', '198.51.101.4', 443)).toBe(true)
    expect(reaches('namespace', '192.0.2.1', 443)).toBe(false)
  })

  it('let KEDA read the metrics of the gateway', async () => {
    const { policies, placeOf } = read(await tools.render('managed'))
    const admits = (namespace: string) =>
      lets(policies, 'in', placeOf('gateway'), pod(namespace, { app: 'keda-operator' }), { port: 3_000 })
    expect([admits('keda'), admits('shop')]).toEqual([true, false])
  })

  it('are there for pods of which no policy speaks, and name somebody in every rule', async () => {
    const { policies } = read(await tools.render('production', withModels))
    const unknown = pod('cairn', { 'app.kubernetes.io/name': 'cairn', 'app.kubernetes.io/instance': 'cairn' })
    expect(lets(policies, 'out', unknown, destinations.DNS.place, { port: 53, protocol: 'UDP' })).toBe(false)
    expect(lets(policies, 'in', unknown, callers.Prometheus, { port: 3_000 })).toBe(false)
    const rules: Manifest[] = policies.flatMap(({ spec }) => [...(spec.ingress ?? []), ...(spec.egress ?? [])])
    expect(rules.length).toBeGreaterThan(20)
    for (const rule of rules) expect(rule).toMatchObject({ ports: [expect.anything(), ...rule.ports.slice(1)] })
    expect(rules.filter(({ from, to }) => (from ?? to ?? []).length === 0)).toEqual([])
  })

  it('of the job of setup are there before it, and go with it', async () => {
    const { manifests } = await tools.render('production')
    const [policy] = ofKind(manifests, 'NetworkPolicy').filter(({ metadata }) => metadata.name === 'cairn-setup')
    expect(policy?.metadata.annotations).toEqual({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-weight': '-10',
      'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
    })
  })
})
