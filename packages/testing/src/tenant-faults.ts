import { AppError } from '@cairn/contracts/errors'
import { type AroundWrite, aroundWrites, type WrittenPorts } from './port-writes.ts'

/**
 * Makes a tenant's k-th write (from 1) fail: before it runs, or after it has run, so that its caller does not know the
 * outcome.
 */
export type TenantFault = { readonly k: number; readonly when: 'before' | 'after' }

/** A tenant's writes so far, and the write that failed. */
export type TenantWrites = { readonly names: readonly string[]; readonly hit: string | undefined }

type Writes = { readonly names: string[]; readonly fault: TenantFault | undefined; hit: string | undefined }

const minted = /^(acc|ns|upload|upload_vec|deletion|lease)_[0-9a-z]+$/
const deepest = 4
const widest = 3

/** Returns the ids in a call's arguments, which identify the tenant of the call. */
const idsWithin = (value: unknown, depth = 0): string[] => {
  if (typeof value === 'string') return minted.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || depth === deepest) return []
  return (Array.isArray(value) ? value.slice(0, widest) : Object.values(value)).flatMap((inner) =>
    idsWithin(inner, depth + 1),
  )
}

/**
 * Injects faults by tenant on shared ports: the ids in a write's arguments identify the tenant. This lets hundreds of
 * flows run concurrently in one system, each with its own fault.
 */
export const tenantFaults = (ports: WrittenPorts) => {
  const tenants = new Map<string, Writes>()

  const writesFor = (args: readonly unknown[]): Writes | undefined => {
    const ids = idsWithin(args)
    const writes = ids.map((id) => tenants.get(id)).find((tenant) => tenant !== undefined)
    if (writes) for (const id of ids) tenants.set(id, writes)
    return writes
  }

  const around: AroundWrite = async ({ name, args, call }) => {
    const writes = writesFor(args)
    writes?.names.push(name)
    if (!writes?.fault || writes.fault.k !== writes.names.length) return call()
    writes.hit = name
    if (writes.fault.when === 'after') await call()
    throw new AppError('unavailable', `the engine does not answer ${name} (injected)`)
  }

  return {
    ports: aroundWrites(ports, around),
    /** Counts the account's writes from now on, and makes the write that `fault` names fail. */
    tenant: (accountId: string, fault?: TenantFault): TenantWrites => {
      const writes: Writes = { names: [], fault, hit: undefined }
      tenants.set(accountId, writes)
      return writes
    },
  }
}
