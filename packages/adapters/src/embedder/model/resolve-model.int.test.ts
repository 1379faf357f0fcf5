import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { zip } from '@cairn/testing/material/zip-writer'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type LocalModel, localModels, modelFiles } from './local-models.ts'
import { type ModelResolverOptions, modelResolver } from './resolve-model.ts'

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex')
const content = { 'onnx/model_quantized.onnx': 'w'.repeat(300_000), 'tokenizer.json': '{"model":{}}' }
const weights = sha256(content['onnx/model_quantized.onnx'])
const model: LocalModel = {
  ...localModels['all-MiniLM-L6-v2'],
  name: 'small',
  files: { 'onnx/model_quantized.onnx': weights, 'tokenizer.json': sha256(content['tokenizer.json']) },
  hub: { repository: 'some/model', revision: 'abc' },
  maven: {
    artifact: 'small-model',
    version: '1.2',
    entries: { 'onnx/model_quantized.onnx': 'small.onnx', 'tokenizer.json': 'small-tokenizer.json' },
  },
}
const folder = `small@${weights.slice(0, 12)}`
const inHub = Object.fromEntries(modelFiles.map((file) => [`/hub/some/model/resolve/abc/${file}`, content[file]]))
const jar = zip([
  { name: 'META-INF/MANIFEST.MF', data: 'Manifest-Version: 1.0' },
  { name: 'small.onnx', data: content['onnx/model_quantized.onnx'] },
  { name: 'small-tokenizer.json', data: content['tokenizer.json'] },
])
const inMaven = { '/maven/dev/langchain4j/small-model/1.2/small-model-1.2.jar': jar }

/** Starts a server of these files; `answer` may answer requests instead. */
const serve = async (
  files: Readonly<Record<string, string | Uint8Array>>,
  answer: (path: string, response: ServerResponse) => unknown = () => undefined,
) => {
  const requested: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requested.push(path)
    if (answer(path, response) !== undefined) return
    const file = files[path]
    if (file === undefined) response.writeHead(404).end()
    else response.end(file)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { requested, sources: { hubUrl: `${url}/hub`, mavenUrl: `${url}/maven`, connectMs: 2_000, stallMs: 2_000 } }
}
const nowhere = { hubUrl: 'http://127.0.0.1:9', mavenUrl: 'http://127.0.0.1:9' }

const resolve = (
  options: Omit<ModelResolverOptions, 'model'>,
  steps: string[] = [],
  signal = new AbortController().signal,
) => modelResolver({ model, ...options })(({ detail }) => steps.push(detail), signal)

const fill = (dir: string): string => {
  mkdirSync(join(dir, 'onnx'), { recursive: true })
  for (const file of modelFiles) writeFileSync(join(dir, file), 'x')
  return dir
}
const fillWhole = (dir: string): string => {
  fill(dir)
  for (const file of modelFiles) writeFileSync(join(dir, file), content[file])
  return dir
}
const contentOf = (dir: string) =>
  Object.fromEntries(modelFiles.map((file) => [file, readFileSync(join(dir, file), 'utf8')]))

describe('model resolver', () => {
  it('uses the configured folder, or names the files that it lacks', async () => {
    const dir = fill(temporaryDirectory())
    expect(await resolve({ modelDir: dir })).toBe(dir)
    await expect(resolve({ modelDir: temporaryDirectory() })).rejects.toThrow(
      /CAIRN_MODEL_DIR.*onnx\/model_quantized\.onnx/,
    )
  })

  it('uses the cache without any request', async () => {
    const cacheDir = temporaryDirectory()
    const dir = fillWhole(join(cacheDir, 'models', folder))
    expect(await resolve({ cacheDir, sources: nowhere })).toBe(dir)
  })

  it('fetches damaged files of the cache again, and keeps them if that fails', async () => {
    const cacheDir = temporaryDirectory()
    const dir = fill(join(cacheDir, 'models', folder))
    await expect(resolve({ cacheDir, sources: nowhere })).rejects.toThrow("can't be reached")
    expect(existsSync(dir)).toBe(true)
    const { sources } = await serve(inHub)
    expect(await resolve({ cacheDir, sources })).toBe(dir)
    expect(contentOf(dir)).toEqual(content)
  })

  it('fetches from the hub once, even for two callers at the same time', async () => {
    const { requested, sources } = await serve(inHub)
    const cacheDir = temporaryDirectory()
    const steps: string[] = []
    const [one, two] = await Promise.all([resolve({ cacheDir, sources }, steps), resolve({ cacheDir, sources }, steps)])
    expect(one).toBe(join(cacheDir, 'models', folder))
    expect(two).toBe(one)
    expect(contentOf(one)).toEqual(content)
    expect(requested).toHaveLength(2)
    expect(steps).toContain('waiting for another process that is fetching the model')
    expect(readdirSync(join(cacheDir, 'models'))).toEqual([folder])
  })

  it('fetches from Maven when the hub has no such file, and leaves nothing but the model', async () => {
    const { sources } = await serve(inMaven)
    const cacheDir = temporaryDirectory()
    // An operator may write the URL with a slash at the end.
    const dir = await resolve({ cacheDir, sources: { ...sources, mavenUrl: `${sources.mavenUrl}/` } })
    expect(contentOf(dir)).toEqual(content)
    expect(readdirSync(dir).toSorted()).toEqual(['onnx', 'tokenizer.json'])
    expect(readdirSync(join(cacheDir, 'models'))).toEqual([folder])
  })

  it('accepts no other file than the recorded one, from neither source', async () => {
    const otherJar = zip([
      { name: 'small.onnx', data: 'other' },
      { name: 'small-tokenizer.json', data: content['tokenizer.json'] },
    ])
    const changed = { ...inHub, '/hub/some/model/resolve/abc/onnx/model_quantized.onnx': 'other' }
    const { sources } = await serve({
      ...changed,
      '/maven/dev/langchain4j/small-model/1.2/small-model-1.2.jar': otherJar,
    })
    const cacheDir = temporaryDirectory()
    await expect(resolve({ cacheDir, sources })).rejects.toThrow(
      /from the public hub: onnx\/model_quantized\.onnx is not the file recorded for small.*from Maven: onnx\/model_quantized\.onnx is not/s,
    )
    expect(readdirSync(join(cacheDir, 'models'))).toEqual([])
  })

  it('rejects a jar without the files, and one that is no zip', async () => {
    const path = '/maven/dev/langchain4j/small-model/1.2/small-model-1.2.jar'
    for (const bytes of [zip([{ name: 'README', data: 'x' }]), Buffer.from('no zip')]) {
      const { sources } = await serve({ [path]: bytes })
      await expect(resolve({ cacheDir: temporaryDirectory(), sources })).rejects.toThrow(/from Maven: /)
    }
  })

  it('gives the reason of every source that failed', async () => {
    const cacheDir = temporaryDirectory()
    await expect(resolve({ cacheDir, sources: nowhere })).rejects.toThrow(
      /from the public hub: 127\.0\.0\.1:9 can't be reached.*from Maven: 127\.0\.0\.1:9 can't be reached/s,
    )
    const silent = await serve({}, () => true)
    await expect(resolve({ cacheDir, sources: { ...silent.sources, connectMs: 50 } })).rejects.toThrow(
      'did not answer within 50 ms',
    )
    const stalling = await serve({}, (_, response) => response.write('some'))
    await expect(resolve({ cacheDir, sources: { ...stalling.sources, stallMs: 50 } })).rejects.toThrow(
      'sent nothing for 50 ms',
    )
    expect(readdirSync(join(cacheDir, 'models'))).toEqual([])
  })

  it('fetches a model that Maven does not have from the hub, or gives the reason of the hub alone', async () => {
    const { maven: _, ...fromHubOnly } = model
    const resolveIt = (sources: ModelResolverOptions['sources']) =>
      modelResolver({ model: fromHubOnly, cacheDir: temporaryDirectory(), ...(sources && { sources }) })(
        () => undefined,
        new AbortController().signal,
      )
    expect(contentOf(await resolveIt((await serve(inHub)).sources))).toEqual(content)
    await expect(resolveIt((await serve(inMaven)).sources)).rejects.toThrow(/^from the public hub: 404 for [^;]+$/)
  })

  it('reports progress up to 1 where a server would compress', async () => {
    const text = content['tokenizer.json'].padEnd(100_000)
    const tokenizer = { ...model, files: { ...model.files, 'tokenizer.json': sha256(text) } }
    const { sources } = await serve(inHub, (path, response) => {
      if (!path.endsWith('tokenizer.json')) return undefined
      const compresses = /gzip/.test(response.req.headers['accept-encoding']?.toString() ?? '')
      const body = compresses ? gzipSync(text) : Buffer.from(text)
      return response
        .writeHead(200, { 'content-length': body.length, ...(compresses ? { 'content-encoding': 'gzip' } : {}) })
        .end(body)
    })
    const progress: number[] = []
    const resolver = modelResolver({ model: tokenizer, cacheDir: temporaryDirectory(), sources })
    await resolver((now) => progress.push(now.progress ?? 0), new AbortController().signal)
    expect(Math.max(...progress)).toBe(1)
  })

  it('stops when the process stops', async () => {
    const controller = new AbortController()
    const { sources } = await serve({}, () => {
      controller.abort(new Error('closing'))
      return true
    })
    await expect(resolve({ cacheDir: temporaryDirectory(), sources }, [], controller.signal)).rejects.toThrow('closing')
  })

  it('takes over from a process that died, and removes what it left', async () => {
    const { sources } = await serve(inHub)
    const cacheDir = temporaryDirectory()
    const models = join(cacheDir, 'models')
    const longAgo = new Date(Date.now() - 7_200_000)
    for (const left of ['.small.lock', '.part-left', folder]) {
      mkdirSync(join(models, left), { recursive: true })
      utimesSync(join(models, left), longAgo, longAgo)
    }
    expect(existsSync(await resolve({ cacheDir, sources }))).toBe(true)
    expect(readdirSync(models)).toEqual([folder])
  })
})
