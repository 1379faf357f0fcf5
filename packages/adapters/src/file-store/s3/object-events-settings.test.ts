import { readConfig } from '@cairn/runtime/config/config'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { objectEventsConfig } from './object-events-settings.ts'

const read = (value?: string) =>
  readConfig(z.object(objectEventsConfig), value === undefined ? {} : { CAIRN_OBJECT_EVENTS: value }).objectEvents

it.each<[string | undefined, boolean | string]>([
  [undefined, false],
  ['', false],
  ['off', false],
  ['on', true],
  ['arn:minio:sqs::CAIRN:kafka', 'arn:minio:sqs::CAIRN:kafka'],
  ['arn:aws:sqs:eu-central-1:123456789012:objects', 'arn:aws:sqs:eu-central-1:123456789012:objects'],
])('reads %j as %j', (value, meant) => {
  expect(read(value)).toBe(meant)
})

it.each(['kafka', 'arn:aws:sns:eu-central-1:1:objects', 'arn:minio:sqs:', 'arn:minio:sqs::a b'])(
  'refuses %j without repeating it',
  (value) => {
    expect(() => read(value)).toThrow('CAIRN_OBJECT_EVENTS: not on, off or the ARN of a queue')
    expect(() => read(value)).not.toThrow(value)
  },
)
