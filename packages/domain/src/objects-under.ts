import type { FileStore, StoredFile } from './ports/file-store.ts'

const objectsAtOnce = 1_000

/** Yields the objects whose keys begin with `prefix`, in key order, read 1,000 at a time. */
export async function* objectsUnder(files: Pick<FileStore, 'list'>, prefix: string): AsyncGenerator<StoredFile> {
  for (let after: string | undefined; ; ) {
    const page = await files.list({ prefix, limit: objectsAtOnce, ...(after === undefined ? {} : { after }) })
    yield* page
    after = page.at(-1)?.key
    if (page.length < objectsAtOnce) return
  }
}
