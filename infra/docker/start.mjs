// Runs the service that SERVICE names in this process, so that signals reach it without a shell in between.
import { existsSync } from 'node:fs'

const service = process.env.SERVICE ?? ''
const entry = new URL(`../../services/${service}/src/main.ts`, import.meta.url)
if (!/^[a-z-]+$/.test(service) || !existsSync(entry)) {
  process.stderr.write(`cairn: there is no service '${service}': SERVICE must name a folder of services/\n`)
  process.exit(1)
}
await import(entry)
