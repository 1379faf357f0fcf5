import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type DependencyPolicy, type Lockfile, lockfileFaults } from './lib/lockfile.ts'
import { manifestFaults, readManifests } from './lib/manifests.ts'

const root = path.dirname(import.meta.dirname)
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'))

const lock = read('package-lock.json') as Lockfile
const policy = read('scripts/denied-dependencies.json') as DependencyPolicy
const faults = [...lockfileFaults(lock, policy), ...manifestFaults(readManifests(root), lock)]

for (const fault of faults) console.error(fault)
console.log(`${Object.keys(lock.packages).length} locked packages, ${faults.length} faults`)
if (faults.length > 0) process.exitCode = 1
