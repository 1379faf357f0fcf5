import { AppError } from '@cairn/contracts/errors'
import type { MessageBus } from '@cairn/ports/message-bus/port'
import type { Metadata } from '@cairn/ports/metadata/port'
import { protocolMethods, readMethods } from '@cairn/ports/metadata/protocol/metadata'
import type { VectorIndex } from '@cairn/ports/vector-index/port'

/** The k-th write (from 1) made for a tenant fails: before it is done, or after it, so that its outcome is unknown to who made it. */
export type TenantFault = { readonly k: number; readonly when: 'before' | 'after' }

/** What happened to a tenant's writes so far. */
export type TenantWrites = { readonly names: readonly string[]; readonly fault: TenantFault | undefined; readonly hit: string | undefined }

type Writes = { names: string[]; fault: TenantFault | undefined; hit: string | undefined }
type Ports = { readonly metadata: Metadata; readonly vectors: VectorIndex; readonly bus: MessageBus }

/** Metering and notes on keys are not part of a flow: they go by the clock and lose at most what they say they may lose. */
const besides = /^(usage|keys|deadLetters)\./
const metadataWrites = new Set([...protocolMethods.keys()].filter((name) => !readMethods.has(name) && !besides.test(name)))
const vectorWrites = new Set(['ensure', 'upsert', 'removeVersion', 'removeNamespace'])

const minted = /^(acc|ns|upload|upload_vec|deletion|lease)_[0-9a-z]+$/
const deepest = 4
const widest = 3

/** Ids of ours within arguments: enough of them to know whom a call is for. */
const idsWithin = (value: unknown, depth = 0): string[] => {
  if (typeof value === 'string') return minted.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || depth === deepest) return []
  return (Array.isArray(value) ? value.slice(0, widest) : Object.values(value)).flatMap((inner) => idsWithin(inner, depth + 1))
}

/**
 * Faults by tenant on ports that many share: whom a write is for is told by the ids in its arguments, so that hundreds of
 * flows, each with its own fault, run side by side in one system. A tenant is known by its account's id from `tenant` on.
 */
export const tenantFaults = (ports: Ports) => {
  const tenants = new Map<string, Writes>()

  const writesOf = (args: readonly unknown[]): Writes | undefined => {
    const ids = idsWithin(args)
    const known = ids.find((id) => tenants.has(id))
    const writes = known === undefined ? undefined : tenants.get(known)
    if (writes) for (const id of ids) if (!tenants.has(id)) tenants.set(id, writes)
    return writes
  }

  const failing = async (name: string, args: readonly unknown[], call: () => unknown): Promise<unknown> => {
    const writes = writesOf(args)
    writes?.names.push(name)
    if (!writes?.fault || writes.fault.k !== writes.names.length) return call()
    writes.hit = name
    if (writes.fault.when === 'after') await call()
    throw new AppError('unavailable', `the engine does not answer ${name} (injected)`)
  }

  const wrapped = <P extends object>(port: P, isWrite: (name: string) => boolean, prefix = ''): P =>
    Object.fromEntries(
      Object.entries(port).map(([name, value]) => {
        if (typeof value === 'object' && value !== null) return [name, wrapped(value, isWrite, `${prefix}${name}.`)]
        if (typeof value !== 'function' || !isWrite(prefix + name)) return [name, value]
        return [name, (...args: unknown[]) => failing(prefix + name, args, () => (value as (...of: unknown[]) => unknown)(...args))]
      }),
    ) as P

  return {
    ports: {
      metadata: wrapped(ports.metadata, (name) => metadataWrites.has(name)),
      vectors: wrapped(ports.vectors, (name) => vectorWrites.has(name)),
      bus: wrapped(ports.bus, (name) => name === 'publish'),
    } satisfies Ports,
    /** From here on the account's writes are counted, and the one that `fault` names fails. */
    tenant: (accountId: string, fault?: TenantFault): TenantWrites => {
      const writes: Writes = { names: [], fault, hit: undefined }
      tenants.set(accountId, writes)
      return writes
    },
  }
}
