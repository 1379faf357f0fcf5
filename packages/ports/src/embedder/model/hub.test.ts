import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HubOptions } from './hub.ts'
import { fetchFromHub } from './hub.ts'

const config = Buffer.from('{"hidden_size": 384}')
const model = Buffer.alloc(300_000, 7)
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const gitSha1 = (bytes: Buffer): string => createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

const source = { repository: 'some/model', revision: 'abc', files: { 'config.json': sha256(config), 'onnx/model.onnx': sha256(model) } }
const tree = [
  { type: 'directory', path: 'onnx', size: 0, oid: 'x' },
  { type: 'file', path: 'config.json', size: config.length, oid: gitSha1(config) },
  { type: 'file', path: 'README.md', size: 5, oid: 'y' },
  { type: 'file', path: 'onnx/model.onnx', size: model.length, oid: 'pointer', lfs: { oid: sha256(model), size: model.length } },
]

type Answer = (path: string, response: ServerResponse) => unknown

/** The hub's two addresses; large files are elsewhere, as with it. */
const startHub = async (answer: Answer = () => undefined) => {
  const server = createServer((request: IncomingMessage, response) => {
    const path = request.url ?? ''
    if (answer(path, response) !== undefined) return
    if (path === '/api/models/some/model/tree/abc?recursive=true') response.end(JSON.stringify(tree))
    else if (path === '/some/model/resolve/abc/config.json') response.end(config)
    else if (path === '/some/model/resolve/abc/onnx/model.onnx') response.writeHead(302, { location: '/elsewhere' }).end()
    else if (path === '/elsewhere') response.end(model)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const options: HubOptions = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    source,
    connectMs: 2_000,
    stallMs: 2_000,
  }
  return options
}

const quiet = () => undefined
const fetchInto = async (options: HubOptions, signal = new AbortController().signal) => {
  const into = temporaryDirectory()
  const progress: number[] = []
  await fetchFromHub(options, into, (now) => progress.push(now.progress ?? 0), signal)
  return { into, progress }
}

describe('fetching from the hub', () => {
  it('fetches the files, checks them and says how far it is', async () => {
    const { into, progress } = await fetchInto(await startHub())
    expect(readFileSync(join(into, 'config.json'))).toEqual(config)
    expect(readFileSync(join(into, 'onnx', 'model.onnx'))).toEqual(model)
    expect(progress.at(-1)).toBe(1)
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
  })

  it.each([
    ['bytes the hub does not state', '/elsewhere', Buffer.alloc(300_000, 8), 'not what the hub states'],
    [
      'a git file that is not as stated',
      '/some/model/resolve/abc/config.json',
      Buffer.from('{"hidden_size": 385}'),
      'not what the hub states',
    ],
    ['too few bytes', '/elsewhere', model.subarray(1), '300000 bytes'],
    ['too many bytes', '/elsewhere', Buffer.concat([model, model]), '300000 bytes'],
  ])('refuses %s', async (_, at, bytes, named) => {
    const options = await startHub((path, response) => (path === at ? response.end(bytes) : undefined))
    await expect(fetchInto(options)).rejects.toThrow(named)
  })

  it('refuses what the hub states but is not what was recorded', async () => {
    const options = await startHub()
    const other = { ...source, files: { ...source.files, 'config.json': sha256(model) } }
    await expect(fetchInto({ ...options, source: other })).rejects.toThrow('not the file recorded')
  })

  it('says which file the hub does not have', async () => {
    const options = await startHub()
    await expect(fetchInto({ ...options, source: { ...source, files: { 'vocab.txt': '' } } })).rejects.toThrow('no vocab.txt')
  })

  it('gives up soon when nothing answers, and when nothing more comes', async () => {
    const silent = await startHub(() => true)
    await expect(fetchInto({ ...silent, connectMs: 50 })).rejects.toThrow('did not answer within 50 ms')
    const stalling = await startHub((path, response) => (path === '/elsewhere' ? response.write('some') : undefined))
    await expect(fetchInto({ ...stalling, stallMs: 50 })).rejects.toThrow('nothing came for 50 ms')
    await expect(fetchInto({ ...silent, url: 'http://127.0.0.1:9' })).rejects.toThrow(/can't be reached/)
  })

  it('stops when told to', async () => {
    const controller = new AbortController()
    const options = await startHub((path) => {
      if (path === '/elsewhere') controller.abort(new Error('closing'))
      return path === '/elsewhere' ? true : undefined
    })
    await expect(fetchFromHub(options, temporaryDirectory(), quiet, controller.signal)).rejects.toThrow()
  })
})
