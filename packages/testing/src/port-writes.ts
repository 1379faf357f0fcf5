import type { MessageBus } from '@cairn/domain/ports/message-bus'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import { methodNames, readsOf, type Store } from '@cairn/domain/store'

export type WrittenPorts = { readonly store: Store; readonly vectors: VectorIndex; readonly bus: MessageBus }

/** Writes that belong to no flow: usage counts and key use, which are written on a timer and may lose a bounded amount. */
const besides = /^(usage|dailyUsage|keys)\./
const storeWrites = new Set(methodNames.filter((name) => readsOf(name) === undefined && !besides.test(name)))
const vectorWrites = new Set(['ensure', 'upsert', 'removeVersions', 'removeNamespace'])

/** Runs instead of a write; `call` performs the write. */
export type AroundWrite = (write: {
  readonly name: string
  readonly args: readonly unknown[]
  readonly call: () => Promise<unknown>
}) => Promise<unknown>

const wrapped = <P extends object>(port: P, isWrite: (name: string) => boolean, around: AroundWrite, prefix = ''): P =>
  Object.fromEntries(
    Object.entries(port).map(([key, value]) => {
      const name = prefix + key
      if (typeof value === 'object' && value !== null) return [key, wrapped(value, isWrite, around, `${name}.`)]
      if (typeof value !== 'function' || !isWrite(name)) return [key, value]
      const call = value as (...args: unknown[]) => Promise<unknown>
      return [key, (...args: unknown[]) => around({ name, args, call: () => call(...args) })]
    }),
  ) as P

/** Wraps every write of metadata, points and messages that a flow depends on. */
export const aroundWrites = (ports: WrittenPorts, around: AroundWrite): WrittenPorts => ({
  store: wrapped(ports.store, (name) => storeWrites.has(name), around),
  vectors: wrapped(ports.vectors, (name) => vectorWrites.has(name), around),
  bus: wrapped(ports.bus, (name) => name === 'publish', around),
})
