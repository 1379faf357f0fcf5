import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ModelResolverOptions } from './resolve-model.ts'
import { modelResolver } from './resolve-model.ts'

const files = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx']
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const source = { repository: 'some/model', revision: 'abc', files: Object.fromEntries(files.map((file) => [file, sha256(file)])) }

/** A hub whose files hold their own names. */
const startHub = async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const tree = files.map((file) => ({ type: 'file', path: file, size: file.length, oid: '', lfs: { oid: sha256(file) } }))
    response.end(path.startsWith('/api/') ? JSON.stringify(tree) : path.replace('/some/model/resolve/abc/', ''))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, hub: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, source } }
}
const noHub = { url: 'http://127.0.0.1:9', source }

/** A command that takes the place of Python: `venv` copies it, pip and the converter write what the real ones would. */
const fakePython = (
  converter = 'for f in config.json tokenizer.json tokenizer_config.json onnx/model_quantized.onnx; do echo x > "$out/$f"; done',
) => {
  const command = join(temporaryDirectory(), 'python')
  const script = `#!/bin/sh
case "$*" in
  *venv,*) exit 0;;
  "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python";;
  *"pip"*download*) for last; do :; done; : > "$last/weights.whl";;
  *"pip"*install*) ;;
  *) for out; do :; done; mkdir -p "$out/onnx"; ${converter};;
esac
`
  writeFileSync(command, script)
  chmodSync(command, 0o755)
  return command
}

const resolve = (options: ModelResolverOptions, steps: string[] = []) =>
  modelResolver(options)(({ detail }) => steps.push(detail), new AbortController().signal)
const noPython = { pythons: ['/nonexistent/python'] }

const fill = (dir: string): string => {
  mkdirSync(join(dir, 'onnx'), { recursive: true })
  for (const file of files) writeFileSync(join(dir, file), 'x')
  return dir
}

describe('model resolver', () => {
  it('takes the folder it is given, or says what is missing there', async () => {
    const dir = fill(temporaryDirectory())
    expect(await resolve({ modelDir: dir })).toBe(dir)
    await expect(resolve({ modelDir: temporaryDirectory() })).rejects.toThrow(/CAIRN_MODEL_DIR.*onnx\/model_quantized\.onnx/)
  })

  it('takes what the cache holds and asks nobody', async () => {
    const cacheDir = temporaryDirectory()
    const dir = fill(join(cacheDir, 'models', 'all-MiniLM-L6-v2@converted-1'))
    expect(await resolve({ cacheDir, hub: noHub, converter: noPython })).toBe(dir)
  })

  it('fetches from the hub once, even for two at the same time', async () => {
    const { asked, hub } = await startHub()
    const cacheDir = temporaryDirectory()
    const steps: string[] = []
    const [one, two] = await Promise.all([resolve({ cacheDir, hub }, steps), resolve({ cacheDir, hub }, steps)])
    expect(one).toBe(join(cacheDir, 'models', 'all-MiniLM-L6-v2@abc'))
    expect(two).toBe(one)
    expect(readFileSync(join(one, 'onnx', 'model_quantized.onnx'), 'utf8')).toBe('onnx/model_quantized.onnx')
    expect(asked).toHaveLength(files.length + 1)
    expect(steps).toContain('waiting for another process that is getting the model')
    expect(readdirSync(join(cacheDir, 'models'))).toEqual(['all-MiniLM-L6-v2@abc'])
  })

  it('makes the model itself when the hub is out of reach, and leaves nothing else behind', async () => {
    const cacheDir = temporaryDirectory()
    const dir = await resolve({ cacheDir, hub: noHub, converter: { pythons: ['/nonexistent/python', fakePython()] } })
    expect(dir).toBe(join(cacheDir, 'models', 'all-MiniLM-L6-v2@converted-1'))
    expect(readdirSync(join(cacheDir, 'models'))).toEqual(['all-MiniLM-L6-v2@converted-1'])
  })

  it('gives the reason of every way that failed, and leaves nothing behind', async () => {
    const cacheDir = temporaryDirectory()
    const pythons = [fakePython('echo "the embeddings are wrong" >&2; exit 3')]
    const failure = resolve({ cacheDir, hub: noHub, converter: { pythons } })
    await expect(failure).rejects.toThrow(
      /from the public hub: 127\.0\.0\.1:9 can't be reached.*from a Python package: .*ended with 3: the embeddings are wrong/s,
    )
    await expect(resolve({ cacheDir, hub: noHub, converter: noPython })).rejects.toThrow(/Python 3\.10 or newer.*ENOENT/)
    expect(readdirSync(join(cacheDir, 'models'))).toEqual([])
  })

  it('does not take what came out incomplete', async () => {
    const converter = { pythons: [fakePython('echo x > "$out/config.json"')] }
    await expect(resolve({ cacheDir: temporaryDirectory(), hub: noHub, converter })).rejects.toThrow('tokenizer.json')
  })

  it('takes over from a process that died, and clears up after it', async () => {
    const { hub } = await startHub()
    const cacheDir = temporaryDirectory()
    const models = join(cacheDir, 'models')
    const longAgo = new Date(Date.now() - 7_200_000)
    for (const left of ['.all-MiniLM-L6-v2.lock', '.part-left', 'all-MiniLM-L6-v2@abc']) {
      mkdirSync(join(models, left), { recursive: true })
      utimesSync(join(models, left), longAgo, longAgo)
    }
    expect(existsSync(await resolve({ cacheDir, hub }))).toBe(true)
    expect(readdirSync(models)).toEqual(['all-MiniLM-L6-v2@abc'])
  })

  it('stops when told to', async () => {
    const controller = new AbortController()
    const resolving = modelResolver({ cacheDir: temporaryDirectory(), hub: noHub, converter: { pythons: [fakePython('sleep 5')] } })(
      ({ detail }) => {
        if (detail.startsWith('converting')) controller.abort(new Error('closing'))
      },
      controller.signal,
    )
    await expect(resolving).rejects.toThrow('closing')
  })
})
