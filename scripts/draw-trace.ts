// node scripts/draw-trace.ts <traces> <picture.svg> [trace id]: draws a trace from the file of the collector's file
// exporter (a line of OTLP/JSON for each request) or of scripts/receive-traces.ts. Without an id, it draws the trace
// with the most services.
import { readFileSync, writeFileSync } from 'node:fs'
import { spansOf, type TraceRequest } from '@cairn/testing/otlp-spans'
import { tracePicture, widestTrace } from './lib/trace-picture.ts'

const [file, picture, id] = process.argv.slice(2)
if (file === undefined || picture === undefined) {
  process.stderr.write('usage: node scripts/draw-trace.ts <traces> <picture.svg> [trace id]\n')
  process.exit(1)
}
const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
const spans = lines.flatMap((line) => spansOf(JSON.parse(line) as TraceRequest))
const trace = id === undefined ? widestTrace(spans) : spans.filter(({ traceId }) => traceId === id)
writeFileSync(picture, tracePicture(trace))
