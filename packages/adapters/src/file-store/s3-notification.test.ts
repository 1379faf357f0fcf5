import { expect, it } from 'vitest'
import { withTarget } from './s3-notification.ts'

const target = 'arn:minio:sqs::CAIRN:kafka'
const ours = { QueueArn: target, Events: ['s3:ObjectCreated:*' as const] }
const other = { Id: 'theirs', QueueArn: 'arn:aws:sqs:eu-west-1:1:audit', Events: ['s3:ObjectRemoved:*' as const] }

it('configures notifications of new objects for a bucket without any', () => {
  expect(withTarget({}, target)).toEqual({ QueueConfigurations: [ours] })
})

it('keeps notifications for other targets', () => {
  const topics = [{ TopicArn: 'arn:aws:sns:eu-west-1:1:audit', Events: ['s3:ObjectCreated:Put' as const] }]
  expect(
    withTarget({ QueueConfigurations: [other], TopicConfigurations: topics, EventBridgeConfiguration: {} }, target),
  ).toEqual({
    QueueConfigurations: [other, ours],
    TopicConfigurations: topics,
    EventBridgeConfiguration: {},
  })
})

it('changes nothing if the target is already configured', () => {
  expect(
    withTarget({ QueueConfigurations: [other, { ...ours, Id: 'given by the store', Filter: {} }] }, target),
  ).toBeUndefined()
  const more = { ...ours, Events: ['s3:ObjectRemoved:*' as const, ...ours.Events] }
  expect(withTarget({ QueueConfigurations: [more] }, target)).toBeUndefined()
})

it.each([
  ['of some of them only', { ...ours, Filter: { Key: { FilterRules: [{ Name: 'prefix' as const, Value: 'a/' }] } } }],
  ['of one way only in which they come', { ...ours, Events: ['s3:ObjectCreated:Put' as const] }],
])('puts right a target that is told %s', (_, less) => {
  expect(withTarget({ QueueConfigurations: [less, other] }, target)).toEqual({ QueueConfigurations: [other, ours] })
})
