import { pagesOf } from '@cairn/contracts/flow/pages-of'
import type { FileStore, StoredFile } from '../ports/file-store.ts'
import type { Page } from '../protocol/page.ts'

const objectsAtOnce = 1_000

/** Yields the objects in key order. */
export async function* objectsUnder(files: Pick<FileStore, 'list'>, prefix: string): AsyncGenerator<StoredFile> {
  const list = (page: Page) => files.list({ prefix, ...page })
  for await (const page of pagesOf(objectsAtOnce, list, ({ key }) => key)) yield* page
}
