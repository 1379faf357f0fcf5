// node scripts/draw-trace.ts <traces> <picture.svg> [trace id]: draws a trace from what the collector's file exporter wrote (a line of OTLP/JSON
// for each request), or scripts/receive-traces.ts. Without an id, the trace that most services took part in.
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
