// Runs in its own thread, because a check against a client's schema may never end.
import { parentPort, workerData } from 'node:worker_threads'
import { Validator } from '@cfworker/json-schema'
import type { CheckResult, SchemaCheck } from './check-against-schema.ts'

const maxFaults = 10
const { schema, value } = workerData as SchemaCheck

const check = (): CheckResult => {
  try {
    const { valid, errors } = new Validator(schema, '2020-12', false).validate(value)
    return valid
      ? { outcome: 'fits' }
      : {
          outcome: 'faults',
          faults: errors.slice(0, maxFaults).map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`),
        }
  } catch {
    return { outcome: 'unusable' }
  }
}

parentPort?.postMessage('begun')
parentPort?.postMessage(check())
