import { expect, it } from 'vitest'
import { readLog } from './readings.ts'

it('finds what readings took, the most of those of one file, and what went wrong', () => {
  const lines = [
    'Cairn is listening on http://localhost:3000',
    { level: 'info', correlationId: 'req_1', type: 'pdf', ms: 900, peakBytes: 100, msg: 'reader' },
    { level: 'info', correlationId: 'req_1', type: 'pdf', ms: 300, peakBytes: 200, msg: 'reader' },
    { level: 'info', correlationId: 'req_2', outcome: 'done', ms: 5, msg: 'job' },
    { level: 'error', correlationId: 'req_3', outcome: 'failed', msg: 'job' },
    'Error: unhandled rejection',
  ].map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  const { readings, errors } = readLog(lines.join('\n'))
  expect([...readings]).toEqual([['req_1', { ms: 900, peakBytes: 200 }]])
  expect(errors).toEqual([lines[4], lines[5]])
})
