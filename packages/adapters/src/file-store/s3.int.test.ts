import { randomBytes } from 'node:crypto'
import { DeleteBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { describeWithEngine, type EngineSettings } from '@cairn/testing/engines'
import { describe } from 'vitest'
import type { FileStoreContract } from './contract/store.fixture.ts'
import { allMultiparts, keysOf } from './contract/store.fixture.ts'
import { fileStoreContract } from './port.contract.ts'
import { type S3FileStoreOptions, s3FileStore } from './s3.ts'

const connectionOf = (setting: EngineSettings): S3FileStoreOptions => ({
  endpoint: setting('CAIRN_S3_ENDPOINT'),
  region: setting('CAIRN_S3_REGION'),
  pathStyle: setting('CAIRN_S3_PATH_STYLE') === 'on',
  credentials: {
    accessKeyId: setting('CAIRN_S3_ACCESS_KEY_ID'),
    secretAccessKey: setting('CAIRN_S3_SECRET_ACCESS_KEY'),
  },
  bucket: `contract-${randomBytes(8).toString('hex')}`,
  prefix: 'cairn',
})

const removeBucket = async (options: S3FileStoreOptions) => {
  const store = s3FileStore(options)
  await store.ensure()
  for (const { key, uploadId } of await allMultiparts(store, '')) await store.abortMultipart(key, uploadId)
  for (
    let files = await store.list({ prefix: '', limit: 1_000 });
    files.length > 0;
    files = await store.list({ prefix: '', limit: 1_000 })
  ) {
    await store.remove(keysOf(files))
  }
  await store.close()
  const { bucket, endpoint = '', region, pathStyle, credentials } = options
  const client = new S3Client({ endpoint, region, forcePathStyle: pathStyle, ...(credentials ? { credentials } : {}) })
  await client.send(new DeleteBucketCommand({ Bucket: bucket }))
  client.destroy()
}

const contractOn = (setting: EngineSettings, lacks: FileStoreContract['lacks']) =>
  describe.each(['when_supported', 'when_required'] as const)('checksums %s', (checksums) =>
    fileStoreContract({
      open: () => {
        const options = { ...connectionOf(setting), checksums }
        return { connect: () => s3FileStore(options), remove: () => removeBucket(options) }
      },
      lacks,
    }),
  )

describeWithEngine('minio', (setting) =>
  contractOn(setting, {
    nesting: 'MinIO takes `a` beside `a/b`, and then leaves `a/b` out of every listing',
    longSegments: 'a name between slashes has at most 255 bytes',
  }),
)

describeWithEngine('seaweedfs', (setting) =>
  contractOn(setting, {
    unknownLength: 'SeaweedFS takes a body that ends by itself',
    replacedParts: 'SeaweedFS may list the first form of a part that was sent again with other bytes',
    nesting: 'files and folders of a file system: `a` and `a/b` exclude each other',
    longSegments: 'a name between slashes has at most 255 bytes',
  }),
)
