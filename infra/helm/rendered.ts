import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, it, vi } from 'vitest'
import { documentsOf, outputBytes } from './yaml.ts'

/** A manifest or any part of a manifest; its form is defined by the schemas of Kubernetes. */
// biome-ignore lint/suspicious/noExplicitAny: manifests have no static type
export type Manifest = any

export type Rendering = { readonly text: string; readonly manifests: readonly Manifest[] }

const here = import.meta.dirname
const chart = join(here, 'cairn')
export const examples = ['minimal', 'production', 'managed'] as const
export type Example = (typeof examples)[number]
export const oldestKubernetes = '1.30.14'
export const newestKubernetes = '1.36.3'

export type Tools = {
  /** Renders the manifests of an example with `values` set over its own. Rejects with Helm's error message. */
  render(example: Example, values?: object, flags?: readonly string[]): Promise<Rendering>
  lint(example: Example): Promise<string>
  /** Validates manifests; resolves to the number of valid ones and one line per fault. */
  check(yaml: string, kubernetes: string): Promise<{ readonly valid: number; readonly faults: readonly string[] }>
}

const run = async (command: string, args: readonly string[]): Promise<string> => {
  // Hides any cluster that this machine is configured for.
  // biome-ignore lint/style/noProcessEnv: the tool inherits the environment of this process
  const env = { ...process.env, KUBECONFIG: '/dev/null' }
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: outputBytes, timeout: 60_000, env })
  return stdout
}

const withFile = async <T>(name: string, text: string, use: (file: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-chart-'))
  try {
    writeFileSync(join(folder, name), text)
    return await use(join(folder, name))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Found = {
  readonly summary: { readonly valid: number }
  readonly resources: readonly { readonly kind: string; readonly name: string; readonly msg: string }[]
}

const toolsAt = (helm: string, kubeconform: string, schemas: string): Tools => {
  const valuesOf = (example: Example) => join(here, 'examples', `${example}.yaml`)
  const perKind = '{{.ResourceKind}}-{{.Group}}-{{.ResourceAPIVersion}}.json'
  const locations = [join(schemas, '{{.NormalizedKubernetesVersion}}', perKind), join(schemas, 'definitions', perKind)]
  return {
    render: (example, values = {}, flags = []) =>
      withFile('values.json', JSON.stringify(values), async (file) => {
        const release = ['template', 'cairn', chart, '--namespace', 'cairn', '--kube-version', newestKubernetes]
        const text = await run(helm, [...release, '--values', valuesOf(example), '--values', file, ...flags])
        return { text, manifests: await documentsOf(helm, text) }
      }),
    lint: (example) =>
      run(helm, ['lint', '--strict', chart, '--values', valuesOf(example), '--kube-version', newestKubernetes]),
    check: (yaml, kubernetes) =>
      withFile('manifests.yaml', yaml, async (file) => {
        const args = ['-strict', '-summary', '-output', 'json', '-kubernetes-version', kubernetes]
        // kubeconform exits with 1 if there are faults, and lists them on standard output.
        const answer = await run(kubeconform, [
          ...args,
          ...locations.flatMap((one) => ['-schema-location', one]),
          file,
        ]).catch((error: { readonly stdout: string }) => error.stdout)
        const { summary, resources } = JSON.parse(answer) as Found
        return { valid: summary.valid, faults: resources.map(({ kind, name, msg }) => `${kind} ${name}: ${msg}`) }
      }),
  }
}

/**
 * Runs a suite that needs helm, kubeconform and schemas. If they are not built, skips the suite with the reason, or
 * fails when `REQUIRE_HELM=1`.
 */
export const describeWithHelm = (name: string, suite: (tools: Tools) => void): void => {
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
  const { status, stdout, stderr } = spawnSync('bash', [join(here, 'tools.sh'), 'where'], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  const [helm, kubeconform, schemas] = stdout.trim().split('\n')
  describe(name, () => {
    if (status === 0 && helm && kubeconform && schemas) return suite(toolsAt(helm, kubeconform, schemas))
    it('has its tools', ({ skip }) => {
      // biome-ignore lint/style/noProcessEnv: the environment decides whether a skip is allowed
      if (process.env['REQUIRE_HELM'] === '1') throw new Error(stderr)
      skip('Helm and the schemas of Kubernetes are not built: `bash infra/helm/tools.sh build` builds them')
    })
  })
}

/** Returns the manifests of one kind. */
export const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((one) => one.kind === kind)

/** Returns the only manifest of this kind and name. Throws unless exactly one matches. */
export const named = (manifests: readonly Manifest[], kind: string, name: string): Manifest => {
  const [found, ...more] = ofKind(manifests, kind).filter((one) => one.metadata.name === name)
  if (!found || more.length > 0) throw new Error(`${found ? 'more than one' : 'no'} ${kind} ${name}`)
  return found
}

/** Returns the pods of deployments and jobs, by process name. */
export const podsOf = (manifests: readonly Manifest[]): ReadonlyMap<string, Manifest> =>
  new Map(
    manifests
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .map(({ spec }) => [spec.template.metadata.labels['app.kubernetes.io/component'], spec.template]),
  )
