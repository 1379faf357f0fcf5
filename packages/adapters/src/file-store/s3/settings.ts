import { type ConfigRule, flag, secret, setting } from '@cairn/contracts/settings'
import * as z from 'zod'
import type { S3FileStoreOptions } from '../s3.ts'

/** S3's rules, without dots: they break TLS certificates when the bucket is in the host name. */
const bucketName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, 'not 3 to 63 lower-case letters, digits and hyphens')
/** Publicly known secret keys of stores. */
const defaults: ReadonlySet<string> = new Set(['minioadmin', 'minio123', 'password', 'changeme'])
const address = z.url({ protocol: /^https?$/, error: 'not an http address' })

/** Equal in every service that reads or writes files. */
export const s3Config = {
  // Any S3: http://minio:9000. Unset: AWS, in the region.
  s3Endpoint: setting('CAIRN_S3_ENDPOINT', address.optional()),
  // Where clients reach the store, if different: https://files.example.com
  s3PublicEndpoint: setting('CAIRN_S3_PUBLIC_ENDPOINT', address.optional()),
  s3Region: setting('CAIRN_S3_REGION', z.string().min(1).default('us-east-1')),
  // Created at the first start.
  s3Bucket: setting('CAIRN_S3_BUCKET', bucketName.default('cairn')),
  // Prefix of keys, so that several installations can share a bucket.
  s3Prefix: setting(
    'CAIRN_S3_PREFIX',
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'not 1 to 32 lower-case letters, digits and hyphens')
      .default('cairn'),
  ),
  // Set both or neither. Unset: credentials that the AWS SDK finds (environment, profile, role of the machine or pod).
  s3AccessKeyId: secret('CAIRN_S3_ACCESS_KEY_ID', z.string().min(1).optional()),
  s3SecretAccessKey: secret(
    'CAIRN_S3_SECRET_ACCESS_KEY',
    z
      .string()
      .min(1)
      .refine((value) => !defaults.has(value), 'is the default of a store; make one of your own')
      .optional(),
  ),
  // The bucket is in the path, as MinIO and most others expect; off for AWS, which has it in the host name.
  s3PathStyle: setting('CAIRN_S3_PATH_STYLE', flag().default(true)),
  // `when_required` for stores without the CRC-32 checksums of the AWS SDK, such as R2 and older Ceph.
  s3Checksums: setting('CAIRN_S3_CHECKSUMS', z.enum(['when_supported', 'when_required']).default('when_supported')),
}

export const s3Rule: ConfigRule = ({ s3AccessKeyId, s3SecretAccessKey }) =>
  (s3AccessKeyId === undefined) !== (s3SecretAccessKey === undefined)
    ? ['CAIRN_S3_ACCESS_KEY_ID, CAIRN_S3_SECRET_ACCESS_KEY: must be set together']
    : []

export const s3Options = (settings: z.output<z.ZodObject<typeof s3Config>>): S3FileStoreOptions => {
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = settings
  return {
    bucket: settings.s3Bucket,
    region: settings.s3Region,
    pathStyle: settings.s3PathStyle,
    prefix: settings.s3Prefix,
    checksums: settings.s3Checksums,
    endpoint: settings.s3Endpoint,
    publicEndpoint: settings.s3PublicEndpoint,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey },
  }
}
