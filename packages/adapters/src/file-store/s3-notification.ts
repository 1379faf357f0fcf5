import {
  GetBucketNotificationConfigurationCommand,
  type NotificationConfiguration,
  PutBucketNotificationConfigurationCommand,
} from '@aws-sdk/client-s3'
import { createS3Clients, type S3Connection } from './s3/clients.ts'
import { translateError } from './s3/translate-error.ts'

export type S3NotificationOptions = S3Connection & {
  readonly bucket: string
  /** ARN of the queue to which the store sends events: `arn:minio:sqs::CAIRN:kafka`. */
  readonly target: string
}

const created = 's3:ObjectCreated:*'
const answerWithinMs = 10_000

/** Returns undefined if the target is already configured. Other targets stay. */
export const withTarget = (
  {
    QueueConfigurations: queues = [],
    TopicConfigurations,
    LambdaFunctionConfigurations,
    EventBridgeConfiguration,
  }: NotificationConfiguration,
  target: string,
): NotificationConfiguration | undefined => {
  const isNotified = ({ QueueArn, Events, Filter }: (typeof queues)[number]) =>
    QueueArn === target && Events?.some((event) => event === created) === true && !Filter?.Key?.FilterRules?.length
  if (queues.some(isNotified)) return undefined
  const others = queues.filter(({ QueueArn }) => QueueArn !== target)
  return {
    TopicConfigurations,
    LambdaFunctionConfigurations,
    EventBridgeConfiguration,
    QueueConfigurations: [...others, { QueueArn: target, Events: [created] }],
  }
}

/** May run any number of times. AppError `internal` for a target that the store does not know. */
export const notifyOfNewObjects = async ({
  bucket: Bucket,
  target,
  ...connection
}: S3NotificationOptions): Promise<void> => {
  const clients = createS3Clients(connection, answerWithinMs)
  const abortSignal = AbortSignal.timeout(answerWithinMs)
  try {
    const configuration = withTarget(
      await clients.main.send(new GetBucketNotificationConfigurationCommand({ Bucket }), { abortSignal }),
      target,
    )
    if (!configuration) return
    const command = new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration: configuration })
    await clients.main.send(command, { abortSignal })
  } catch (error) {
    throw translateError(error)
  } finally {
    clients.destroy()
  }
}
