import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operations } from '@cairn/contracts/api/operations'
import { edgeOperations } from '@cairn/contracts/http/edge'
import { limits } from '@cairn/contracts/limits'
import { gatewayConfig } from '@cairn/gateway/config'
import { createMetrics } from '@cairn/runtime/process/metrics'
import { expect, it } from 'vitest'
import { describeWithHelm, examples, type Manifest, named, ofKind, podsOf } from './rendered.ts'

const component = 'app.kubernetes.io/component'
const answersWithinSeconds = 4
const stopsWithinSeconds = 10

/** Runs `ask` against a minimal API server that has only this Secret, for Helm's lookup. */
const clusterWith = async (secret: object, ask: (flags: string[]) => Promise<void>): Promise<void> => {
  const kinds = [{ name: 'secrets', singularName: 'secret', namespaced: true, kind: 'Secret', verbs: ['get'] }]
  const answers: Readonly<Record<string, object>> = {
    '/version': { major: '1', minor: '36', gitVersion: 'v1.36.3' },
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
    '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources: kinds },
    '/api/v1/namespaces/cairn/secrets/cairn-keys': secret,
  }
  const server = createServer(({ url = '' }, response) => {
    const answer = answers[url.split('?')[0] ?? '']
    response
      .writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer ?? { kind: 'Status', code: 404 }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  try {
    await ask(['--dry-run=server', '--kube-apiserver', `http://127.0.0.1:${(server.address() as AddressInfo).port}`])
  } finally {
    server.close()
  }
}

const decoded = ({ data }: Manifest, key: string) => Buffer.from(data[key], 'base64').toString('utf8')

/** Returns a `/metrics` response of the gateway with this number of due jobs for each service. */
const dueJobs = async (jobs: number): Promise<string> => {
  const metrics = createMetrics()
  for (const service of ['ingestion', 'file-pipeline', 'deletion'])
    metrics.dueJobs(service, async () => ({ jobs, oldestMs: 0 }))
  return (await metrics.scrape()).body
}

describeWithHelm('workloads of the chart', (tools) => {
  it('are found by selectors that stay the same from one version to the next', async () => {
    const { manifests } = await tools.render('production')
    const pods = podsOf(manifests)
    for (const { spec } of ofKind(manifests, 'Deployment')) {
      const { matchLabels } = spec.selector
      expect(Object.keys(matchLabels)).toEqual([component, 'app.kubernetes.io/instance', 'app.kubernetes.io/name'])
      expect(spec.template.metadata.labels).toEqual(matchLabels)
    }
    for (const { spec } of [...ofKind(manifests, 'Service'), ...ofKind(manifests, 'PodDisruptionBudget')]) {
      const labels = spec.selector.matchLabels ?? spec.selector
      expect(pods.get(labels[component])?.metadata.labels).toEqual(labels)
    }
    expect(ofKind(manifests, 'PodDisruptionBudget').map(({ spec }) => spec.maxUnavailable)).toEqual([1, 1, 1, 1, 1])
  })

  it('are asked for their health where they serve it, with time for an answer', async () => {
    const { manifests } = await tools.render('production')
    const { getLiveness, getReadiness } = operations
    const paths: Readonly<Record<string, readonly string[]>> = {
      gateway: [getLiveness.path, getLiveness.path, getLiveness.path],
      edge: [edgeOperations.health.path, edgeOperations.health.path, edgeOperations.health.path],
    }
    for (const { spec } of ofKind(manifests, 'Deployment')) {
      const name = spec.template.metadata.labels[component]
      const [container] = spec.template.spec.containers
      const { startupProbe, livenessProbe, readinessProbe, ports, env } = container
      const probes = [startupProbe, livenessProbe, readinessProbe]
      const wanted = paths[name] ?? [getLiveness.path, getLiveness.path, getReadiness.path]
      expect(probes.map(({ httpGet }) => httpGet)).toEqual(wanted.map((path) => ({ path, port: 'http' })))
      for (const { timeoutSeconds } of probes) expect(timeoutSeconds).toBeGreaterThan(answersWithinSeconds)
      expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBe(1_800)
      expect(ports).toEqual([
        { name: 'http', containerPort: Number(env.find((one: Manifest) => one.name === 'PORT').value) },
      ])
      const before = container.lifecycle?.preStop.sleep.seconds ?? 0
      expect(before > 0).toBe(name === 'gateway' || name === 'edge')
      expect(spec.template.spec.terminationGracePeriodSeconds).toBe(stopsWithinSeconds + before + 5)
    }
  })

  it.each(examples)('may do nothing they need not, with the values of %s', async (example) => {
    const { manifests } = await tools.render(example)
    for (const [, { spec }] of podsOf(manifests)) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 65_532,
          fsGroup: 65_532,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      })
      const [container, ...more] = spec.containers
      expect(more).toEqual([])
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(container.resources.limits.memory).toMatch(/^\d+(Mi|Gi)$/)
      const mounted = container.volumeMounts.map(({ name }: Manifest) => name).toSorted()
      expect(mounted).toEqual(spec.volumes.map(({ name }: Manifest) => name).toSorted())
      for (const { emptyDir } of spec.volumes) if (emptyDir) expect(emptyDir.sizeLimit).toMatch(/^\d+(Mi|Gi)$/)
    }
  })

  it('have names that are short enough, whatever they are called', async () => {
    const { manifests } = await tools.render('production', {
      fullnameOverride: `c${'-airn'.repeat(14)}`,
      nameOverride: 'c'.repeat(70),
    })
    const names = manifests.map(({ metadata }) => metadata.name)
    const labels = manifests.flatMap(({ metadata }) => Object.values<string>(metadata.labels))
    expect(Math.max(...[...names, ...labels].map(({ length }) => length))).toBeLessThanOrEqual(63)
    expect(names.filter((name) => !/^[a-z]([a-z0-9-]*[a-z0-9])?$/.test(name))).toEqual([])
  })

  it('leave room for the files that are read at once, and for one small one more', async () => {
    const { manifests } = await tools.render('minimal', { filePipeline: { concurrency: 3, memoryMb: 512 } })
    const { spec } = podsOf(manifests).get('file-pipeline')
    expect(spec.containers[0].resources.limits.memory).toBe('2816Mi')
    const gibibytes = 3 * (limits.fileBytes / 1024 ** 3) + 1
    expect(spec.volumes.find(({ name }: Manifest) => name === 'scratch').emptyDir.sizeLimit).toBe(`${gibibytes}Gi`)
  })

  it('have their number from one place: their value, or whatever scales them', async () => {
    for (const example of examples) {
      const { manifests } = await tools.render(example)
      const scaled = new Set(
        [...ofKind(manifests, 'HorizontalPodAutoscaler'), ...ofKind(manifests, 'ScaledObject')].map(
          (one) => one.spec.scaleTargetRef.name,
        ),
      )
      const counted = ofKind(manifests, 'Deployment').filter(({ spec }) => spec.replicas !== undefined)
      expect(counted.filter(({ metadata }) => scaled.has(metadata.name))).toEqual([])
      expect(counted.length + scaled.size).toBe(ofKind(manifests, 'Deployment').length)
      expect(scaled.size > 0).toBe(example !== 'minimal')
    }
  })

  it('are scaled by their due jobs, which KEDA reads from the gateway', async () => {
    const { manifests } = await tools.render('managed')
    const service = named(manifests, 'Service', 'cairn-gateway')
    const thresholds = { 'cairn-deletion': '20', 'cairn-file-pipeline': '4', 'cairn-ingestion': '20' }
    const body = await dueJobs(7)
    expect(ofKind(manifests, 'ScaledObject').map(({ metadata }) => metadata.name)).toEqual(Object.keys(thresholds))
    for (const [name, targetValue] of Object.entries(thresholds)) {
      const { spec } = named(manifests, 'ScaledObject', name)
      const [{ type, metadata }, ...more] = spec.triggers
      expect(more).toEqual([])
      const { url, valueLocation, ...rest } = metadata
      expect({ type, ...rest }).toEqual({ type: 'metrics-api', format: 'prometheus', targetValue })
      expect(url).toBe(
        `http://${service.metadata.name}.cairn.svc:${service.spec.ports[0].port}${operations.getMetrics.path}`,
      )
      expect(valueLocation).toContain(`"${name.replace('cairn-', '')}"`)
      expect(body).toContain(`\n${valueLocation} 7\n`)
      expect(spec.minReplicaCount).toBeGreaterThanOrEqual(1)
    }
  })

  it('are scaled by due jobs and by slots in use, where KEDA asks Prometheus', async () => {
    const { manifests } = await tools.render('production')
    const body = await dueJobs(0)
    for (const { spec } of ofKind(manifests, 'ScaledObject')) {
      expect(spec.triggers).toHaveLength(2)
      for (const { type, metadata } of spec.triggers) {
        expect([type, metadata.ignoreNullValues]).toEqual(['prometheus', 'false'])
        expect(body).toContain(`# HELP ${/cairn_[a-z_]+(?=\{)/.exec(metadata.query)} `)
      }
    }
    const free = 'cairn_job_slots_free{namespace="cairn",pod=~"cairn-ingestion-.+"}'
    const { triggers } = named(manifests, 'ScaledObject', 'cairn-ingestion').spec
    expect(triggers.map(({ metadata }: Manifest) => [metadata.query, metadata.threshold])).toEqual([
      ['max(cairn_due_jobs{namespace="cairn",pod=~"cairn-gateway-.+",service="ingestion"})', '20'],
      [`sum((4 - avg_over_time(${free}[2m])) and ${free})`, '3'],
    ])
  })

  it('get calls whose bodies the API takes, and none for health, metrics and administration', async () => {
    const [ingress] = ofKind((await tools.render('production')).manifests, 'Ingress')
    const [, mebibytes] =
      /^(\d+)m$/.exec(ingress.metadata.annotations['nginx.ingress.kubernetes.io/proxy-body-size']) ?? []
    expect(Number(mebibytes) * 1024 ** 2).toBeGreaterThan(Math.max(limits.jsonBodyBytes, limits.directFileBytes))
    const [route] = ofKind((await tools.render('managed')).manifests, 'HTTPRoute')
    const open = ['/v1', '/docs', '/openapi.json']
    expect(ingress.spec.rules[0].http.paths.map(({ path }: Manifest) => path)).toEqual(open)
    expect(route.spec.rules[0].matches.map(({ path }: Manifest) => path.value)).toEqual(open)
  })

  it('have a secret made for them that the gateway takes, and keep the one they have', async () => {
    const made = named((await tools.render('minimal')).manifests, 'Secret', 'cairn-keys')
    expect(made.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' })
    const { secret, adminKey } = gatewayConfig.shape
    expect(secret.safeParse(decoded(made, 'secret')).success).toBe(true)
    expect(adminKey.safeParse(decoded(made, 'admin-key')).success).toBe(true)
    const kept = Buffer.from('the one that is there').toString('base64')
    const existing = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'cairn-keys', namespace: 'cairn' },
      data: { secret: kept },
    }
    await clusterWith(existing, async (flags) => {
      const again = named((await tools.render('minimal', {}, flags)).manifests, 'Secret', 'cairn-keys')
      expect(decoded(again, 'secret')).toBe('the one that is there')
      // The key missing from that Secret is generated.
      expect(adminKey.safeParse(decoded(again, 'admin-key')).success).toBe(true)
    })
  })

  it('have no password outside of Secrets, and none of the chart where others hold them', async () => {
    const { manifests } = await tools.render('minimal')
    const elsewhere = JSON.stringify(manifests.filter(({ kind }) => kind !== 'Secret'))
    for (const password of ['a-password-of-its-own', 'replicaSet=rs0']) {
      expect(elsewhere).not.toContain(password)
      expect(elsewhere).not.toContain(Buffer.from(password).toString('base64'))
    }
    expect(ofKind((await tools.render('production')).manifests, 'Secret')).toEqual([])
  })

  it('start anew when what is in their files has changed, and not otherwise', async () => {
    const checksum = async (values: object) =>
      podsOf((await tools.render('minimal', values)).manifests).get('namespace').metadata.annotations[
        'checksum/secrets'
      ]
    const before = await checksum({})
    expect(await checksum({ gateway: { replicas: 2 } })).toBe(before)
    expect(await checksum({ s3: { secretAccessKey: 'another' } })).toBe(before)
    expect(await checksum({ qdrant: { apiKey: 'another' } })).not.toBe(before)
  })

  it('find their topics made by a job that brings all it needs, and leaves none of it behind', async () => {
    const { manifests } = await tools.render('minimal')
    const hooks = manifests.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'])
    const policy = 'before-hook-creation,hook-succeeded'
    const weights = hooks.map(({ kind, metadata }) => [
      kind,
      metadata.name,
      Number(metadata.annotations['helm.sh/hook-weight']),
    ])
    expect(weights.toSorted()).toEqual([
      ['Job', 'cairn-setup', 0],
      ['Secret', 'cairn-setup', -10],
      ['ServiceAccount', 'cairn-setup', -10],
    ])
    expect(hooks.map(({ metadata }) => metadata.annotations['helm.sh/hook-delete-policy'])).toEqual([
      policy,
      policy,
      policy,
    ])
    const { spec } = named(manifests, 'Job', 'cairn-setup').spec.template
    expect(spec.serviceAccountName).toBe('cairn-setup')
    const secrets = spec.volumes
      .flatMap(({ projected }: Manifest) => projected?.sources ?? [])
      .map(({ secret }: Manifest) => secret.name)
    expect(new Set(secrets)).toEqual(new Set(['cairn-setup']))
  })
})
