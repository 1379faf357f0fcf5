import { setTimeout as pause } from 'node:timers/promises'
import { sendOnce } from '../harness/http-load.ts'
import { jsonRequest } from '../harness/upload-request.ts'
import { post, repeated, type Target, withSockets } from './attacks.ts'

const perUpload = 100
export const namespaces = Array.from({ length: 30 }, (_, index) => `searched-${index}`)
const perNamespace = 300
const atOnce = 10

const values = Array.from({ length: 200 }, (_, index) => `v${index}`)
const tagged = (id: number) => ({
  id: `d${id}`,
  text: `Document ${id} about larches, springs and the weather of a year.`,
  tags: values.slice(0, 100),
  number: id,
})

const retries = 10

const send = async ({ port, apiKey }: Target, path: string, body: object, expected: number): Promise<void> => {
  for (let tries = 0; ; tries += 1) {
    const { status, body: answer } = await sendOnce(port, jsonRequest('POST', path, apiKey, body))
    if (status === expected) return
    if (status !== 503 || tries === retries) throw new Error(`${path}: ${status} ${answer.toString().slice(0, 300)}`)
    await pause(1_000)
  }
}

/**
 * Fills the namespace with this number of documents; for searches of points, fills thirty other small namespaces
 * instead.
 */
export const fillForFilters = async (target: Target, isSearched: boolean, documents: number): Promise<void> => {
  const filled = isSearched ? namespaces : [target.namespace]
  const count = isSearched ? perNamespace : documents
  for (const name of filled) {
    if (isSearched) await send(target, '/v1/namespaces', { namespace_name: name, type: 'text' }, 201)
    for (let from = 0; from < count; from += perUpload) {
      const some = Array.from({ length: perUpload }, (_, index) => tagged(from + index))
      await send(target, `/v1/namespaces/${name}/documents`, { documents: some }, 202)
    }
  }
}

/**
 * Returns a filter with list conditions. 100 conditions have the most values that one request may compare; `fourLists`
 * has four times as many.
 */
const lists = (conditions: number) => ({
  and: Array.from({ length: conditions }, () => ({ key: 'tags', nin: values })),
})
const fourLists = {
  and: Array.from({ length: 100 }, () => ({ key: 'tags', in: values, any: values, nin: values, all: values })),
}
const sentAtOnce = (target: Target, path: string, body: object, times = 1) => {
  const bytes = post(target, path, JSON.stringify(body))
  return withSockets(target, atOnce, (socket) => repeated(socket, bytes, times))
}
const searched = (filter: object) => ({ query: 'larches', namespaces, filter })

/** Requests with expensive filters or queries, by name. Those in `searchAttacks` need points. */
export const filterAttacks: Readonly<Record<string, (target: Target) => Promise<void>>> = {
  'filters that count': (target) =>
    sentAtOnce(target, `/v1/namespaces/${target.namespace}/documents/delete`, { filter: lists(100), dry_run: true }),
  'filters that list': (target) =>
    sentAtOnce(
      target,
      `/v1/namespaces/${target.namespace}/documents/fetch-text-data`,
      { filter: { key: 'nokey', eq: 'x' } },
      2,
    ),
}

export const searchAttacks: Readonly<Record<string, (target: Target) => Promise<void>>> = {
  'searches refused': (target) => sentAtOnce(target, '/v1/search', searched(fourLists), 20),
  'searches with long lists': (target) => sentAtOnce(target, '/v1/search', searched(lists(3)), 20),
  'answers with long lists': (target) =>
    sentAtOnce(target, '/v1/answer', { query: 'larches', namespace: namespaces[0], filter: lists(100) }, 20),
  'searches that match nothing': (target) =>
    withSockets(target, atOnce, async (socket, index) => {
      for (let turn = 0; turn < 200 && !socket.destroyed; turn += 1) {
        const filter = {
          key: `no ${index} ${turn}`.repeat(100),
          in: values.map((value) => `${value} ${index} ${turn}`),
        }
        await repeated(socket, post(target, '/v1/search', JSON.stringify({ ...searched(filter), mode: 'lexical' })), 1)
      }
    }),
  'long queries': (target) => {
    const query = String.fromCodePoint(...Array.from({ length: 9_999 }, (_, index) => 0x4e00 + index))
    return sentAtOnce(target, '/v1/search', { query, namespaces, mode: 'lexical' }, 20)
  },
  // Each character becomes eighteen when it is folded.
  'compatible characters': (target) => {
    const body = post(target, '/v1/search', JSON.stringify({ query: 'ﷺ'.repeat(9_999), namespaces, mode: 'lexical' }))
    return withSockets(target, 30, (socket) => repeated(socket, body, 1))
  },
  'texts of hyphens': (target) => {
    const documents = Array.from({ length: 60 }, (_, index) => ({ id: `h${index}`, text: 'a-'.repeat(25_000) }))
    const body = post(target, `/v1/namespaces/${namespaces[0]}/documents`, JSON.stringify({ documents }))
    return withSockets(target, 1, async (socket) => {
      await repeated(socket, body, 1)
      await pause(5_000)
    })
  },
  'searches left': (target) =>
    withSockets(target, 30, async (socket) => {
      socket.write(post(target, '/v1/search', JSON.stringify(searched(lists(3)))))
      await pause(100)
      socket.destroy()
    }),
}
