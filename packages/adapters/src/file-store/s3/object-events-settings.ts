import { flag, setting } from '@cairn/contracts/settings'
import * as z from 'zod'

const error = 'not on, off or the ARN of a queue (arn:…:sqs:…)'
/** Such as `arn:minio:sqs::CAIRN:kafka`. */
const target = z.string().regex(/^arn:[^\s:]+:sqs:\S+$/, error)

export const objectEventsConfig = {
  // Whether the store sends events of new objects to the topic cairn.object-events: off, on, or the ARN of the store's
  // target for it, which `setup` configures in the bucket. Without it files are found later.
  objectEvents: setting('CAIRN_OBJECT_EVENTS', z.union([flag(), target], { error }).default(false)),
}
