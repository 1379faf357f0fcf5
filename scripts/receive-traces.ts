// node scripts/receive-traces.ts <file> [port]: receives traces (OTEL_EXPORTER_OTLP_PROTOCOL=http/json) instead of a
// collector, and appends them to the file as the collector's file exporter does: a line of JSON for each request.
import { appendFileSync } from 'node:fs'
import { otlpReceiver } from '@cairn/testing/otlp-receiver'

const [file, port = '4318'] = process.argv.slice(2)
if (file === undefined || !/^\d+$/.test(port)) {
  process.stderr.write('usage: node scripts/receive-traces.ts <file> [port]\n')
  process.exit(1)
}
const receiver = await otlpReceiver({
  port: Number(port),
  onRequest: (request) => appendFileSync(file, `${JSON.stringify(request)}\n`),
})
process.stdout.write(`traces that are sent to ${receiver.url} go to ${file}\n`)
