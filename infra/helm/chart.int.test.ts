import { expect, it } from 'vitest'
import { describeWithHelm, examples, newestKubernetes, oldestKubernetes } from './rendered.ts'

/** Invalid values, set over those of an example, and the expected error message. */
const refused: readonly (readonly [what: string, values: object, says: RegExp])[] = [
  [
    'a value that does not exist',
    { ingestion: { replica: 3 } },
    /'\/ingestion': additional properties 'replica' not allowed/,
  ],
  ['one that does not exist deep inside', { kafka: { sasl: { user: 'x' } } }, /'\/kafka\/sasl'.*'user'/],
  ['one of the wrong kind', { gateway: { replicas: 'three' } }, /'\/gateway\/replicas': got string, want integer/],
  ['no brokers', { kafka: { brokers: [] } }, /'\/kafka\/brokers': minItems/],
  ['a broker without a port', { kafka: { brokers: ['kafka'] } }, /'\/kafka\/brokers\/0'/],
  ['a bucket that S3 refuses', { s3: { bucket: 'My_Files' } }, /'\/s3\/bucket'/],
  ["a store's own password", { s3: { secretAccessKey: 'minioadmin' } }, /'\/s3\/secretAccessKey'/],
  ['no process at all', { deletion: { replicas: 0 } }, /'\/deletion\/replicas': minimum/],
  [
    'scaling to nothing',
    { ingestion: { scaling: { minReplicas: 0 } } },
    /'\/ingestion\/scaling\/minReplicas': minimum/,
  ],
  ['a setting of Cairn past its value', { extraEnv: [{ name: 'CAIRN_SECRET', value: 'x' }] }, /'\/extraEnv\/0\/name'/],
  ['a tier without a limit', { tiers: { free: { namespaces: 1 } } }, /'\/tiers\/free': missing properties 'documents'/],
  ['a file larger than its memory', { filePipeline: { memoryMb: 64 } }, /'\/filePipeline\/memoryMb': minimum/],
  [
    'a peer that is none',
    { networkPolicy: { kafka: { to: [{ cidr: '10.0.0.0/8' }] } } },
    /'\/networkPolicy\/kafka\/to\/0'/,
  ],
  [
    'a threshold that no count reaches',
    { ingestion: { scaling: { dueJobs: 1_001 } } },
    /'\/ingestion\/scaling\/dueJobs': maximum/,
  ],
  [
    'scaling of a service without jobs',
    { namespace: { scaling: { enabled: true } } },
    /'\/namespace': additional properties 'scaling'/,
  ],
  [
    'fewer processes at most than at least',
    { deletion: { scaling: { minReplicas: 5 } }, gateway: { autoscaling: { minReplicas: 11 } } },
    /deletion.scaling: minReplicas is more than maxReplicas\s+gateway.autoscaling: minReplicas is more/,
  ],
  [
    'half a login',
    { kafka: { sasl: { mechanism: 'plain', username: 'cairn' } } },
    /kafka.sasl: needs password or existingSecret/,
  ],
  [
    'a login for nobody',
    { kafka: { sasl: { password: 'x' } } },
    /kafka.sasl.mechanism: is required with username and password/,
  ],
  [
    'certificates without TLS',
    { kafka: { tls: { existingSecret: 'x', caKey: 'ca' } } },
    /kafka.tls: has keys, but is not enabled/,
  ],
  [
    'a password twice',
    { qdrant: { apiKey: 'x', existingSecret: 'y' } },
    /qdrant.apiKey: given here and in existingSecret/,
  ],
  ['half a key of S3', { s3: { accessKeyId: '' } }, /s3: accessKeyId and secretAccessKey go together/],
  ['no secret', { secrets: { generate: false } }, /secrets: needs existingSecret, or generate: true/],
  [
    'two secrets',
    { secrets: { existingSecret: 'x' } },
    /secrets: needs existingSecret, or generate: true \(not both\)/,
  ],
  ['an API key that nobody makes', { secrets: { apiKeyKey: 'api-key' } }, /secrets.apiKeyKey: needs existingSecret/],
  [
    'a server that embeds, but where',
    { embedder: { provider: 'openai' } },
    /embedder.openai: needs url, model and dimension/,
  ],
  ['answers of no model', { answers: { url: 'http://vllm/v1' } }, /answers: url and model go together/],
  ['a reranker without a model', { rerank: { url: 'http://tei/rerank' } }, /rerank: needs model, unless form is tei/],
  [
    'two rerankers',
    { rerank: { url: 'http://tei/rerank', form: 'tei', localModel: 'ms-marco-MiniLM-L6-v2' } },
    /rerank: only one of url, modelDir and localModel can be set/,
  ],
  ['a way in for no host', { ingress: { enabled: true } }, /ingress.hosts: names no host/],
  ['an account that is not there', { serviceAccount: { create: false } }, /serviceAccount.name: is required/],
  ['an edge store without a key', { edge: { enabled: true } }, /edge: needs key or existingSecret/],
]

describeWithHelm('the chart', (tools) => {
  it.each(examples)(
    'is right with the values of %s: linted, and every manifest as the oldest and the newest Kubernetes want it',
    async (example) => {
      expect(await tools.lint(example)).toMatch(/1 chart\(s\) linted, 0 chart\(s\) failed/)
      const { text, manifests } = await tools.render(example)
      expect(manifests.length).toBeGreaterThan(15)
      for (const kubernetes of [oldestKubernetes, newestKubernetes]) {
        expect(await tools.check(text, kubernetes), kubernetes).toEqual({ valid: manifests.length, faults: [] })
      }
    },
  )

  it.each([
    [
      'a misspelt field',
      'terminationGracePeriodSeconds: 20',
      'terminationGracePeriodSecond: 20',
      /Deployment cairn-gateway: .*'terminationGracePeriodSecond' not allowed/,
    ],
    [
      'a field in the wrong place',
      'revisionHistoryLimit: 3',
      'minReplicas: 3',
      /Deployment .*'minReplicas' not allowed/,
    ],
    [
      'a wrong type',
      'unhealthyPodEvictionPolicy: AlwaysAllow',
      'unhealthyPodEvictionPolicy: 1',
      /PodDisruptionBudget .*got number, want string/,
    ],
    [
      'a field that is missing',
      'periodSeconds: 120',
      'period: 120',
      /ScaledObject .*missing property 'periodSeconds'|ScaledObject .*'period' not allowed/,
    ],
    [
      'a field of a kind that others define',
      'minReplicaCount: 2',
      'minReplicas: 2',
      /ScaledObject .*'minReplicas' not allowed/,
    ],
    [
      'a field twice',
      'enableServiceLinks: false',
      'enableServiceLinks: false\n      enableServiceLinks: true',
      /key "enableServiceLinks" already set/,
    ],
    [
      'a kind that nobody knows',
      'kind: HorizontalPodAutoscaler',
      'kind: HorizontalPodScaler',
      /could not find schema for HorizontalPodScaler/,
    ],
  ])('would not pass with %s', async (_, right, wrong, says) => {
    const { text, manifests } = await tools.render('production')
    expect(text).toContain(right)
    const { valid, faults } = await tools.check(text.replaceAll(right, wrong), newestKubernetes)
    expect(valid).toBeLessThan(manifests.length)
    expect(faults.join('\n')).toMatch(says)
  })

  it.each(refused)('refuses %s, and says so', async (_, values, says) => {
    await expect(tools.render('minimal', values)).rejects.toThrow(says)
  })

  it('says all that does not go together at once', async () => {
    const wrong = { secrets: { generate: false }, answers: { url: 'http://vllm/v1' }, mongodb: { url: '' } }
    const failure: Error = await tools.render('minimal', wrong).then(Promise.reject, (error: Error) => error)
    expect(failure.message).toMatch(
      /mongodb: needs url or existingSecret\s+secrets: needs existingSecret.*\s+answers: url and model go together/,
    )
  })

  it.each(['clients.from', 'dns.to', 'kafka.to', 'mongodb.to', 'qdrant.to', 's3.to', 'answers.to', 'edge.from'])(
    'refuses a network policy without peers under %s',
    async (path) => {
      const [name = '', way = ''] = path.split('.')
      const rendering = tools.render('production', { networkPolicy: { [name]: { [way]: [] } } })
      await expect(rendering).rejects.toThrow(`networkPolicy.${path}: has no peers`)
    },
  )

  it('refuses a network policy that shuts KEDA out, where it reads due jobs from the gateway', async () => {
    const rendering = tools.render('managed', { networkPolicy: { metrics: { from: [] } } })
    await expect(rendering).rejects.toThrow('networkPolicy.metrics.from: has no peers')
  })

  it('asks for nothing but what has to be said', async () => {
    const bare = { kafka: { replication: 3 }, gateway: { replicas: 2 } }
    await expect(tools.render('minimal', bare)).resolves.toBeDefined()
    await expect(tools.render('minimal', { image: { repository: '' } })).rejects.toThrow(
      "'/image/repository': minLength",
    )
  })
})
