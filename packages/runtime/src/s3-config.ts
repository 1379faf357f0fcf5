import * as z from 'zod'
import { type ConfigRule, flag, secret, setting } from './config.ts'

/** Of a bucket everybody can make: S3's rules without the dots, which break certificates where the bucket is in the host's name. */
const bucketName = z.string().regex(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, 'not 3 to 63 lower-case letters, digits and hyphens')
/** What stores come with, which everybody knows. */
const defaults: ReadonlySet<string> = new Set(['minioadmin', 'minio123', 'password', 'changeme'])
const address = z.url({ protocol: /^https?$/, error: 'not an http address' })

/** Where the objects of a cluster are: the same in every service that reads or writes files. */
export const s3Config = {
  // Any S3: http://minio:9000. Without it: AWS, in the region.
  s3Endpoint: setting('CAIRN_S3_ENDPOINT', address.optional()),
  // Where clients reach it who are given signed addresses, when that is elsewhere: https://files.example.com
  s3PublicEndpoint: setting('CAIRN_S3_PUBLIC_ENDPOINT', address.optional()),
  s3Region: setting('CAIRN_S3_REGION', z.string().min(1).default('us-east-1')),
  // Made at the first start where it is missing.
  s3Bucket: setting('CAIRN_S3_BUCKET', bucketName.default('cairn')),
  // What the keys of this installation begin with: several may share a bucket under different ones.
  s3Prefix: setting(
    'CAIRN_S3_PREFIX',
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'not 1 to 32 lower-case letters, digits and hyphens')
      .default('cairn'),
  ),
  // Both or neither; without them what the AWS SDK finds: environment, profile, role of the machine or pod.
  s3AccessKeyId: secret('CAIRN_S3_ACCESS_KEY_ID', z.string().min(1).optional()),
  s3SecretAccessKey: secret(
    'CAIRN_S3_SECRET_ACCESS_KEY',
    z
      .string()
      .min(1)
      .refine((value) => !defaults.has(value), 'is the default of a store; make one of your own')
      .optional(),
  ),
  // The bucket in the path, as MinIO and most others want it; off for AWS, which has it in the host's name.
  s3PathStyle: setting('CAIRN_S3_PATH_STYLE', flag().default(true)),
  // `when_required` for stores that refuse or do not know the CRC-32 checksums of the AWS SDK, such as R2 and older Ceph.
  s3Checksums: setting('CAIRN_S3_CHECKSUMS', z.enum(['when_supported', 'when_required']).default('when_supported')),
}

/** Both halves of a key, or neither. */
export const s3Rule: ConfigRule = ({ s3AccessKeyId, s3SecretAccessKey }) =>
  (s3AccessKeyId === undefined) !== (s3SecretAccessKey === undefined)
    ? ['CAIRN_S3_ACCESS_KEY_ID, CAIRN_S3_SECRET_ACCESS_KEY: must be set together']
    : []
