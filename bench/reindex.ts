import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { startLocalServer } from '@cairn/testing/local-server'
import { type ApiAddress, callApi } from './harness/api-client.ts'
import { sendDocuments, untilIndexed } from './harness/documents.ts'
import { connectTo, sendOnce } from './harness/http-load.ts'
import { percentile } from './harness/judge.ts'
import { type Product, restartProduct, startProduct } from './harness/product.ts'
import type { Measured, Row } from './harness/row.ts'
import { jsonRequest } from './harness/upload-request.ts'

const model = 'bench-model'
const dimension = 384
const searchers = 2
const searchEveryMs = 20
const uploadEveryMs = 500
const normalMs = 20_000
const phaseWithinMs = 3_600_000
/** Settle time for the side that is killed, which measures no times. */
const settleMs = 2_000

const textOf = (id: string) => `${id} stands beside the path to the upper hut, and marks where the spring was found.`

/** Starts an embedding server that hashes words and takes `delayMs` for each request, however many arrive at once. */
const startModel = async (delayMs: number) => {
  const embed = (text: string) => {
    const vector = new Array<number>(dimension).fill(0.01)
    for (const word of text.split(' ')) {
      let hash = 7
      for (let index = 0; index < word.length; index += 1) hash = (hash * 31 + word.charCodeAt(index)) >>> 0
      vector[hash % dimension] = 1
    }
    return vector
  }
  const { url, close } = await startLocalServer(async (request, response) => {
    const { input } = (await json(request)) as { readonly input: readonly string[] }
    await pause(delayMs)
    const data = input.map((text) => ({ embedding: embed(text) }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
  })
  return { url: `${url}/v1`, close }
}

type State = { readonly phase: string; readonly model: string; readonly progress: { readonly written: number } }

/**
 * Returns calls on one namespace. Every call opens a connection, because the process may be killed between two calls.
 */
const createDriver = (address: () => ApiAddress, namespace: string) => {
  const path = `/v1/namespaces/${namespace}`
  const call = <T>(method: string, rest: string, expected: number, body?: unknown): Promise<T> =>
    callApi<T>(address(), method, `${path}${rest}`, expected, body)
  const upload = async (ids: readonly string[]): Promise<void> => {
    const target = { ...address(), namespace }
    const uploads = await sendDocuments(target, ids, (id) => ({ text: textOf(id) }))
    await untilIndexed(target, uploads, { withinMs: phaseWithinMs })
  }
  const state = async (): Promise<State | undefined> => {
    const { port, apiKey } = address()
    const { status, body } = await sendOnce(port, jsonRequest('GET', `${path}/reindex`, apiKey))
    return status === 200 ? JSON.parse(body.toString()) : undefined
  }
  const until = async (holds: (state: State | undefined) => boolean): Promise<void> => {
    for (const from = performance.now(); performance.now() - from < phaseWithinMs; await pause(100))
      if (holds(await state())) return
    throw new Error(`the reindex did not continue in time: ${JSON.stringify(await state())}`)
  }
  /**
   * Searches for these documents by id, one after the other, until the signal is aborted; without a signal, once for
   * each document. `failed` lists the searches that did not return their document.
   */
  const search = async (ids: readonly string[], signal?: AbortSignal) => {
    const { port, apiKey } = address()
    const connection = await connectTo(port)
    const times: number[] = []
    const failed: string[] = []
    try {
      for (let index = 0; signal ? !signal.aborted : index < ids.length; index += 1) {
        const id = ids[index % ids.length] as string
        const from = performance.now()
        const query = { query: id, namespaces: [namespace], top_k: 10 }
        const { status, body } = await connection.send(jsonRequest('POST', '/v1/search', apiKey, query))
        const ms = performance.now() - from
        times.push(ms)
        const { results = [] } = JSON.parse(body.toString()) as {
          readonly results?: readonly { readonly id: string }[]
        }
        if (status !== 200 || !results.some((result) => result.id === id)) failed.push(`${id}: ${status} ${body}`)
        if (signal) await pause(Math.max(0, searchEveryMs - ms))
      }
    } finally {
      connection.close()
    }
    return { times, failed }
  }
  return { call, upload, until, search }
}

const namesOf = (count: number) => Array.from({ length: count }, (_, number) => `marker${number}`)

/** Searches and uploads while `work` runs. */
const underLoad = async (
  { search, upload }: ReturnType<typeof createDriver>,
  ids: readonly string[],
  work: () => Promise<unknown>,
) => {
  const ended = new AbortController()
  const searching = Array.from({ length: searchers }, (_, searcher) =>
    search(ids.toSpliced(0, Math.floor((searcher * ids.length) / searchers)), ended.signal),
  )
  const uploading = (async () => {
    for (let number = 0; !ended.signal.aborted; number += 1) {
      await upload([`added${number % 1_000}`])
      await pause(uploadEveryMs)
    }
  })()
  const from = performance.now()
  try {
    await work()
  } finally {
    ended.abort()
  }
  const seconds = (performance.now() - from) / 1_000
  await uploading
  const all = await Promise.all(searching)
  const failed = all.flatMap((one) => one.failed)
  for (const one of failed.slice(0, 3)) process.stderr.write(`  failed: ${one.slice(0, 200)}\n`)
  return {
    seconds,
    p99: percentile(
      all.flatMap(({ times }) => times),
      0.99,
    ),
    failed: failed.length,
  }
}

const notMeasured = { normal: 0, reindexing: 0, byOther: 0, returning: 0, removing: 0, ratio: 0, filling: 0 }

export const row: Row = {
  name: 'reindex',
  what: 'searches while a namespace changes its model and back, and while its process is killed',
  method: `One process; from the lexical model to a server for embeddings that takes 10 ms a request and hashes words. load: 20,000 documents of a sentence; ${searchers} clients search for documents by their ids every ${searchEveryMs} ms, and one document is uploaded every ${uploadEveryMs} ms; "normal" is ${normalMs / 1_000} s of that, "reindexing" the time from the request to the flip, "byOther" ${normalMs / 1_000} s by the new model, "returning" the time of the rollback, "removing" that of the removal; "ratio" is the worst of reindexing and removing ÷ normal, and returning ÷ byOther. killed: 2,000 documents; the process is killed in every phase, there and back, and then every document is searched for. "failed": searches that were not answered 200 or lacked the document.`,
  warmUps: 0,
  figures: [
    { name: 'normal', unit: 'ms p99', digits: 1 },
    { name: 'reindexing', unit: 'ms p99', digits: 1 },
    { name: 'byOther', unit: 'ms p99', digits: 1 },
    { name: 'returning', unit: 'ms p99', digits: 1 },
    { name: 'removing', unit: 'ms p99', digits: 1 },
    { name: 'ratio', unit: 'worst ÷ normal', digits: 2 },
    { name: 'filling', unit: 's', digits: 1 },
    { name: 'kills', unit: '', digits: 0 },
    { name: 'failed', unit: 'searches', digits: 0 },
  ],
  marks: [
    { what: 'p99 of searches ÷ normal', figure: 'ratio', sides: ['load'], atMost: 1.3 },
    { what: 'failed searches under load', figure: 'failed', sides: ['load'], atMost: 0 },
    { what: 'documents not found after a kill', figure: 'failed', sides: ['killed'], atMost: 0 },
  ],
  open: async (context) => {
    const server = await startModel(10)
    const openai = { url: server.url, model, dimension }
    const options = { embedder: 'lexical', openai } as const
    let product: Product = await startProduct(context, options)
    let made = 0
    const open = async (count: number) => {
      made += 1
      const namespace = `reindex-${made}`
      const body = { namespace_name: namespace, type: 'text', model: 'lexical' }
      await callApi(product, 'POST', '/v1/namespaces', 201, body)
      const driver = createDriver(() => product, namespace)
      const ids = namesOf(count)
      await driver.upload(ids)
      return { driver, ids }
    }

    const load = async (): Promise<Measured> => {
      const { driver, ids } = await open(context.quick ? 2_000 : 20_000)
      const { call, until } = driver
      const normalTime = () => pause(context.quick ? normalMs / 4 : normalMs)
      const normal = await underLoad(driver, ids, normalTime)
      let filling = 0
      const reindexing = await underLoad(driver, ids, async () => {
        const from = performance.now()
        await call('POST', '/reindex', 202, { model })
        await until((state) => state?.phase !== 'filling')
        filling = (performance.now() - from) / 1_000
        await until((state) => state?.phase === 'kept')
      })
      const byOther = await underLoad(driver, ids, normalTime)
      const returning = await underLoad(driver, ids, async () => {
        await call('POST', '/reindex/rollback', 202)
        await until((state) => state?.phase === 'kept' && state.model === 'lexical')
      })
      const removing = await underLoad(driver, ids, async () => {
        await call('DELETE', '/reindex', 202)
        await until((state) => state === undefined)
      })
      const all = [normal, reindexing, byOther, returning, removing]
      return {
        normal: normal.p99,
        reindexing: reindexing.p99,
        byOther: byOther.p99,
        returning: returning.p99,
        removing: removing.p99,
        ratio: Math.max(reindexing.p99 / normal.p99, returning.p99 / byOther.p99, removing.p99 / normal.p99),
        filling,
        kills: 0,
        failed: all.reduce((sum, { failed }) => sum + failed, 0),
      }
    }

    const killed = async (): Promise<Measured> => {
      const restart = async () => {
        process.kill(product.subject.pid, 'SIGKILL')
        // The exit of a process is noticed a moment later.
        await pause(500)
        product = await restartProduct(context, { ...options, reindex: { everyMs: 500, settleMs } }, product)
      }
      let kills = 0
      let failed = 0
      const { driver, ids } = await open(context.quick ? 500 : 2_000)
      const { call, until, search, upload } = driver
      const killThen = async (holds: (state: State | undefined) => boolean) => {
        await restart()
        kills += 1
        await upload([`after-kill${kills}`])
        await until(holds)
        failed += (await search([...ids, ...Array.from({ length: kills }, (_, index) => `after-kill${index + 1}`)]))
          .failed.length
      }
      await call('POST', '/reindex', 202, { model, flip: 'manual' })
      await until((state) => state !== undefined && (state.progress.written > 0 || state.phase === 'filled'))
      await killThen((state) => state?.phase === 'filled')
      await killThen((state) => state?.phase === 'filled')
      await call('POST', '/reindex/flip', 202)
      await killThen((state) => state?.phase === 'kept' && state.model === model)
      await killThen((state) => state?.phase === 'kept')
      await call('POST', '/reindex/rollback', 202)
      await killThen((state) => state?.phase === 'kept' && state.model === 'lexical')
      await call('DELETE', '/reindex', 202)
      await killThen((state) => state === undefined)
      return { ...notMeasured, kills, failed }
    }

    return {
      sides: [
        { name: 'load', round: load },
        { name: 'killed', round: killed },
      ],
      close: async () => {
        await product.subject.close()
        await server.close()
      },
    }
  },
}
