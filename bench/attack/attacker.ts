// Runs one attack in a separate thread, so that preparing the attack does not delay the probe.
import { workerData } from 'node:worker_threads'
import { attacks, type Target } from './attacks.ts'
import { filterAttacks, searchAttacks } from './filter-attacks.ts'

const { name, target } = workerData as { readonly name: string; readonly target: Target }
await { ...attacks, ...filterAttacks, ...searchAttacks }[name]?.(target)
