import {
  GetBucketNotificationConfigurationCommand,
  type NotificationConfiguration,
  PutBucketNotificationConfigurationCommand,
} from '@aws-sdk/client-s3'
import { createS3Clients, type S3Connection } from './s3/clients.ts'
import { translated } from './s3/translated.ts'

export type S3NotificationOptions = S3Connection & {
  readonly bucket: string
  /** ARN of the queue that the store is configured to send events to: `arn:minio:sqs::CAIRN:kafka`. */
  readonly target: string
}

const created = 's3:ObjectCreated:*'
const answerWithinMs = 10_000

/**
 * Returns the bucket's notifications with the target added for new objects; undefined if it is already there. Other
 * targets stay.
 */
export const withTarget = (
  {
    QueueConfigurations: queues = [],
    TopicConfigurations,
    LambdaFunctionConfigurations,
    EventBridgeConfiguration,
  }: NotificationConfiguration,
  target: string,
): NotificationConfiguration | undefined => {
  const isTold = ({ QueueArn, Events, Filter }: (typeof queues)[number]) =>
    QueueArn === target && Events?.some((event) => event === created) === true && !Filter?.Key?.FilterRules?.length
  if (queues.some(isTold)) return undefined
  const others = queues.filter(({ QueueArn }) => QueueArn !== target)
  return {
    TopicConfigurations,
    LambdaFunctionConfigurations,
    EventBridgeConfiguration,
    QueueConfigurations: [...others, { QueueArn: target, Events: [created] }],
  }
}

/**
 * Configures the store to notify the target of every new object in the bucket; may run any number of times. AppError
 * `internal` for a target that the store does not know.
 */
export const tellOfNewObjects = async ({
  bucket: Bucket,
  target,
  ...connection
}: S3NotificationOptions): Promise<void> => {
  const clients = createS3Clients(connection, { connectTimeoutMs: 2_000, stallTimeoutMs: answerWithinMs, attempts: 3 })
  const abortSignal = AbortSignal.timeout(answerWithinMs)
  try {
    const wanted = withTarget(
      await clients.main.send(new GetBucketNotificationConfigurationCommand({ Bucket }), { abortSignal }),
      target,
    )
    if (!wanted) return
    const command = new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration: wanted })
    await clients.main.send(command, { abortSignal })
  } catch (error) {
    throw translated(error)
  } finally {
    clients.destroy()
  }
}
