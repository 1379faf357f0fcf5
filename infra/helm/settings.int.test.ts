import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { engineRules } from '@cairn/adapters/cluster-settings'
import type { ConfigRule } from '@cairn/contracts/settings'
import { deletionConfig } from '@cairn/deletion/config'
import { edgeConfig, edgeRule } from '@cairn/edge/config'
import { filePipelineConfig } from '@cairn/file-pipeline/config'
import { gatewayProcessConfig } from '@cairn/gateway/process-config'
import { ingestionConfig } from '@cairn/ingestion/config'
import { namespaceConfig } from '@cairn/namespace/config'
import { answererRule } from '@cairn/runtime/config/answerer-config'
import { environmentNames, readConfig } from '@cairn/runtime/config/config'
import { processRules } from '@cairn/runtime/config/process-config'
import { rerankerRule } from '@cairn/runtime/config/reranker-config'
import { generateApiKey } from '@cairn/runtime/http/api-key'
import { setupConfig } from '@cairn/setup/config'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { describeWithHelm, examples, type Manifest, named, podsOf, type Rendering } from './rendered.ts'

const clusterRules = [...engineRules, ...processRules]

/** Configuration schemas of each process, as its main.ts reads them. */
const processes: Readonly<
  Record<string, readonly [schema: Parameters<typeof environmentNames>[0], ...rules: ConfigRule[]]>
> = {
  gateway: [gatewayProcessConfig, ...clusterRules, answererRule, rerankerRule],
  namespace: [namespaceConfig, ...clusterRules],
  ingestion: [ingestionConfig, ...clusterRules],
  'file-pipeline': [filePipelineConfig, ...clusterRules],
  deletion: [deletionConfig, ...clusterRules],
  setup: [setupConfig, ...clusterRules],
  edge: [edgeConfig, edgeRule, answererRule],
}

/** Settings that are not Cairn's: Node's own, and those that an example adds to all processes by `extraEnv`. */
const others = new Set(['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'OTEL_EXPORTER_OTLP_ENDPOINT'])
/** Settings that the setup job gets, too, although it does not read them. */
const ofAll = new Set(['CAIRN_LOG_LEVEL'])

/** Set by the image. */
const ofImage = 'NODE_ENV'
/** Settings that a process reads and the chart does not set with `everything` below. */
const unsaid: Readonly<Record<string, readonly string[]>> = {
  // The chart sets the store's file, not its folder.
  edge: ['CAIRN_DATA_DIR'],
  // `everything` has the URL of a rerank server instead.
  gateway: ['CAIRN_RERANK_LOCAL_MODEL', 'CAIRN_RERANK_MODEL_DIR'],
}

/** Contents of the files in /secrets whose format is checked. */
const inFile: Readonly<Record<string, string>> = {
  'mongodb-url': 'mongodb+srv://cairn:canary@example.net/',
  secret: '0123456789abcdef'.repeat(4),
  'admin-key': 'fedcba9876543210'.repeat(4),
  'api-key': generateApiKey().apiKey,
}
const ofOtherFiles = 'canary-canary-canary'

/** Returns the files that the volumes of a pod provide. */
const filesOf = ({ spec }: Manifest): ReadonlySet<string> => {
  const mounted = new Map<string, string>(
    spec.containers[0].volumeMounts.map((mount: Manifest) => [mount.name, mount.mountPath]),
  )
  const items = (volume: Manifest): Manifest[] => [
    ...(volume.projected?.sources ?? []).flatMap(({ secret }: Manifest) => secret.items),
    ...(volume.configMap?.items ?? []),
  ]
  return new Set(
    spec.volumes.flatMap((volume: Manifest) => items(volume).map(({ path }) => `${mounted.get(volume.name)}/${path}`)),
  )
}

/** Returns the environment of a pod's process, with the settings that name a file replaced by the file's content. */
const environmentOf = (pod: Manifest, { manifests }: Rendering): Record<string, string> => {
  const files = filesOf(pod)
  const entries = pod.spec.containers[0].env.map(
    ({ name, value }: { readonly name: string; readonly value: string }) => {
      if (!value.startsWith('/secrets/')) return [name, value]
      if (!files.has(value)) throw new Error(`${name} names ${value}, which no volume brings along`)
      return [name.replace(/_FILE$/, ''), inFile[value.slice('/secrets/'.length)] ?? ofOtherFiles]
    },
  )
  const env: Record<string, string> = Object.fromEntries(entries)
  if (env['CAIRN_TIERS_FILE'] === undefined) return env
  const file = join(temporaryDirectory(), 'tiers.json')
  writeFileSync(file, named(manifests, 'ConfigMap', 'cairn-tiers').data['tiers.json'])
  return { ...env, CAIRN_TIERS_FILE: file }
}

/** Values that set every option that the examples leave out. */
const everything = {
  kafka: { tls: { certKey: 'tls.crt', keyKey: 'tls.key' } },
  embedder: {
    localModels: ['e5-small-v2'],
    modelDir: '/model',
    mavenUrl: 'https://maven.example/releases',
  },
  s3: {
    endpoint: 'https://s3.example.com',
    publicEndpoint: 'https://files.example.com',
    accessKeyId: 'one',
    secretAccessKey: 'two',
  },
  answers: { url: 'http://vllm:8000/v1', model: 'qwen3', models: 'small=qwen3:4b', apiKey: 'canary' },
  rerank: { url: 'http://tei:8080/rerank', model: 'judge', apiKey: 'canary' },
  secrets: { apiKeyKey: 'api-key' },
  gateway: { publicUrl: 'https://cairn.example.com' },
  tiers: { free: { namespaces: 1, documents: null, vectors: 1, requests: 1 } },
  edge: { enabled: true, key: 'canary-canary-canary', corsOrigins: ['https://example.com'] },
  networkPolicy: { enabled: false },
}

describeWithHelm('settings of the chart', (tools) => {
  it.each([...examples.map((example) => [example, {}] as const), ['managed', everything] as const])(
    'are what the services of %s read, and all they need',
    async (example, values) => {
      const rendering = await tools.render(example, values)
      const pods = podsOf(rendering.manifests)
      const expected = Object.keys(processes).filter((name) => name !== 'edge' || pods.has('edge'))
      expect([...pods.keys()].toSorted()).toEqual(expected.toSorted())
      for (const [name, pod] of pods) {
        const [schema, ...rules] = processes[name]!
        const env = environmentOf(pod, rendering)
        const known = new Set(environmentNames(schema))
        expect(Object.keys(env).filter((one) => !known.has(one) && !others.has(one) && !ofAll.has(one))).toEqual([])
        expect(() => readConfig(schema, env, rules), name).not.toThrow()
      }
    },
  )

  it('say where the engines are, and log in', async () => {
    const rendering = await tools.render('managed', everything)
    const pod = podsOf(rendering.manifests).get('file-pipeline')
    expect(readConfig(filePipelineConfig, environmentOf(pod, rendering), clusterRules)).toMatchObject({
      kafkaBrokers: ['b-1.kafka.example.net:9096', 'b-2.kafka.example.net:9096'],
      kafkaPrefix: 'shop.',
      kafkaSasl: 'scram-sha-512',
      kafkaUsername: 'cairn',
      kafkaPassword: ofOtherFiles,
      kafkaTls: true,
      kafkaTlsCa: ofOtherFiles,
      kafkaTlsCert: ofOtherFiles,
      mongodbUrl: 'mongodb+srv://cairn:canary@example.net/',
      qdrantUrl: 'https://0f3c.eu-central-1-0.aws.cloud.qdrant.io:6333',
      qdrantApiKey: ofOtherFiles,
      s3PathStyle: false,
      s3Bucket: 'cairn-files',
      objectEvents: true,
      embedder: 'openai',
      openaiDimension: 1536,
    })
  })

  it('leave out none that a service reads', async () => {
    const pods = podsOf((await tools.render('managed', everything)).manifests)
    for (const [name, [schema]] of Object.entries(processes)) {
      const said = new Set<string>(
        pods.get(name)?.spec.containers[0].env.map((one: Manifest) => one.name.replace(/_FILE$/, '')),
      )
      const read = environmentNames(schema).filter(
        (one) => !said.has(one.replace(/_(FILE)$/, '')) && !one.startsWith('OTEL_') && one !== ofImage,
      )
      expect(read.toSorted(), name).toEqual(unsaid[name] ?? [])
    }
  })

  it.each([
    [
      { modelDir: '/models/judge', model: 'judge' },
      { rerankModelDir: '/models/judge', rerankModel: 'judge' },
    ],
    [{ localModel: 'ms-marco-MiniLM-L6-v2' }, { rerankLocalModel: 'ms-marco-MiniLM-L6-v2' }],
  ])('name the model %j of a reranker in place of a server', async (rerank, expected) => {
    const rendering = await tools.render('managed', { ...everything, rerank: { url: '', ...rerank } })
    const pod = podsOf(rendering.manifests).get('gateway')
    const config = readConfig(gatewayProcessConfig, environmentOf(pod, rendering), [...clusterRules, rerankerRule])
    expect(config).toMatchObject(expected)
    expect(config.rerankUrl).toBeUndefined()
  })

  it('give a secret to those alone that read it', async () => {
    const { manifests } = await tools.render('production')
    const filesBy = Object.fromEntries(
      [...podsOf(manifests)].map(([name, pod]) => [
        name,
        [...filesOf(pod)].filter((file) => file.startsWith('/secrets/')).toSorted(),
      ]),
    )
    const [s3Id, s3Key, mongodb, qdrant] = [
      's3-access-key-id',
      's3-secret-access-key',
      'mongodb-url',
      'qdrant-api-key',
    ].map((n) => `/secrets/${n}`)
    expect(filesBy).toEqual({
      gateway: ['/secrets/admin-key', '/secrets/api-key', mongodb, qdrant, s3Id, s3Key, '/secrets/secret'],
      namespace: [mongodb, qdrant],
      ingestion: [mongodb, qdrant],
      'file-pipeline': [mongodb, qdrant, s3Id, s3Key],
      deletion: [mongodb, qdrant, s3Id, s3Key],
      setup: [mongodb, qdrant, s3Id, s3Key],
      edge: ['/secrets/edge-key'],
    })
  })
})
