import {
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3'
import type { FileListing, StoredFile } from '@cairn/domain/ports/file-store'
import { isKey } from '../check-arguments.ts'
import { type Bucket, headObject } from './bucket.ts'
import { keyReader } from './key-reader.ts'
import { storedFile } from './stored-file.ts'

type Query = Pick<FileListing, 'prefix' | 'after'>

/** A page may have fewer keys than requested and still be truncated. */
async function* pagesOf({ clients, bucket, signal }: Bucket, { prefix, after }: Query, limit: number) {
  const input: ListObjectsV2CommandInput = {
    Bucket: bucket,
    Prefix: prefix,
    StartAfter: after,
    MaxKeys: limit,
    EncodingType: 'url',
  }
  for (let token: string | undefined; ; ) {
    const command = new ListObjectsV2Command({ ...input, ContinuationToken: token })
    const page: ListObjectsV2CommandOutput = await clients.main.send(command, { abortSignal: signal })
    const read = keyReader(page.EncodingType)
    yield (page.Contents ?? []).map(({ Key, Size, ...attributes }) =>
      storedFile(read(Key), { ...attributes, ContentLength: Size }),
    )
    token = page.IsTruncated ? page.NextContinuationToken : undefined
    if (token === undefined) return
  }
}

/**
 * Listings that together list everything after `last`, none with an `after` in a folder below its prefix: first the
 * folder of `last`, then each enclosing folder from the end of the one already listed. `0` follows `/`, so after the
 * folder `a/` come the key `a0` itself and then the keys after it.
 */
const questionsAfter = (prefix: string, last: string): { readonly prefix: string; readonly after: string }[] => {
  const base = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  const segments = last.startsWith(prefix) ? last.slice(base.length).split('/').slice(0, -1) : []
  const folder = (depth: number) => base + segments.slice(0, depth).join('/')
  const around = segments.map((_, depth) => ({
    prefix: depth === 0 ? prefix : `${folder(depth)}/`,
    after: `${folder(depth + 1)}0`,
  }))
  return segments.length === 0 ? [] : [{ prefix: `${folder(segments.length)}/`, after: last }, ...around.toReversed()]
}

/**
 * If MinIO starts after a key in a folder, it counts keys before that folder whose names begin with the folder's name
 * (`a-1`, `a.txt` before `a/`), omits as many keys, and reports the listing as complete. So the end of such a listing
 * is verified with listings that avoid the defect. A listing from the beginning is correct.
 */
async function* filesOf(bucket: Bucket, query: Query, limit: number): AsyncGenerator<StoredFile> {
  let last = query.after
  let pages = 0
  for await (const page of pagesOf(bucket, query, limit)) {
    yield* page
    last = page.at(-1)?.key ?? last
    pages += 1
  }
  if (last === undefined || (query.after === undefined && pages === 1)) return
  for (const question of questionsAfter(query.prefix, last)) {
    const next =
      question.after === last || !isKey(question.after) ? undefined : await headObject(bucket, question.after)
    if (next) yield storedFile(question.after, next)
    yield* filesOf(bucket, question, limit)
  }
}

/** Skips invalid keys, such as the folder objects that consoles create. */
export const listObjects = async (bucket: Bucket, { limit, ...query }: FileListing): Promise<StoredFile[]> => {
  const files: StoredFile[] = []
  for await (const file of filesOf(bucket, query, limit)) {
    if (isKey(file.key) && files.push(file) === limit) break
  }
  return files
}
