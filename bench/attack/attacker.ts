// Runs one attack in a thread of its own, so that making it does not delay the probe.
import { workerData } from 'node:worker_threads'
import { attacks, type Target } from './attacks.ts'

const { name, target } = workerData as { readonly name: string; readonly target: Target }
await attacks[name]?.(target)
