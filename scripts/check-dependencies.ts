import path from 'node:path'
import { cruiseTree } from './lib/cruise.ts'

const root = path.dirname(import.meta.dirname)
const { offences, checked, missed, testOnly } = await cruiseTree(root)

for (const { rule, from, to } of offences) console.error(`${rule}: ${from} -> ${to}`)
for (const one of testOnly) console.error(`only tests import it, so it belongs into devDependencies: ${one}`)
for (const file of missed) console.error(`missed by the dependency check: ${file}`)
console.log(`${checked.length} modules, ${offences.length} forbidden imports`)
if (offences.length > 0 || testOnly.length > 0 || missed.length > 0 || checked.length === 0) process.exitCode = 1
