import type { FileStore, StoredFile } from '@cairn/ports/file-store/port'
import type { Metadata } from '@cairn/ports/metadata/port'
import type { Namespace } from '@cairn/ports/metadata/records'
import { atOnce } from '@cairn/runtime/at-once'
import { objectPrefix } from '@cairn/runtime/object-keys'
import type { Call, Reply } from '../call.ts'
import type { FilePorts } from '../deps.ts'
import { findNamespace } from '../find-namespace.ts'
import { iso } from '../iso.ts'

const objectsAtOnce = 1_000
const recordsAtOnce = 500
const looksAtOnce = 16

async function* objectsOf(files: FileStore, prefix: string): AsyncGenerator<readonly StoredFile[]> {
  for (let after: string | undefined; ; ) {
    const page = await files.list({ prefix, limit: objectsAtOnce, ...(after === undefined ? {} : { after }) })
    yield page
    after = page.at(-1)?.key
    if (page.length < objectsAtOnce) return
  }
}

const recordedNames = async (metadata: Metadata, namespaceId: string): Promise<ReadonlySet<string>> => {
  const names = new Set<string>()
  for (let after: string | undefined; ; ) {
    const page = await metadata.files.page(namespaceId, { limit: recordsAtOnce, ...(after === undefined ? {} : { after }) })
    for (const { name } of page) names.add(name)
    after = page.at(-1)?.name
    if (page.length < recordsAtOnce) return names
  }
}

/**
 * What of the store belongs to the namespace. An object without a record of it is shown while somebody may bring it, and otherwise is
 * being removed: deleted, or left by a namespace of this name before.
 */
const ownedFiles = async ({ metadata, files }: FilePorts, { id, accountId, name: namespaceName }: Namespace) => {
  const prefix = objectPrefix(accountId, namespaceName)
  // Objects first: of a file that is deleted meanwhile, the record is not there any more when it is looked for.
  const objects: (StoredFile & { readonly name: string })[] = []
  for await (const page of objectsOf(files, prefix)) for (const file of page) objects.push({ ...file, name: file.key.slice(prefix.length) })
  const recorded = await recordedNames(metadata, id)
  const owned = await atOnce(
    looksAtOnce,
    objects,
    async ({ name }) => recorded.has(name) || (await metadata.grants.get(id, name))?.state === 'open',
  )
  return objects.filter((_, index) => owned[index])
}

export const listFiles =
  (deps: FilePorts) =>
  async (call: Call): Promise<Reply> => {
    const namespace = await findNamespace(deps.metadata, call.account.id, call.params['namespace_name'] ?? '')
    const files = await ownedFiles(deps, namespace)
    return {
      status: 200,
      body: {
        success: true,
        namespace: namespace.name,
        file_count: files.length,
        files: files.map(({ name, sizeBytes, modifiedAt }) => ({ file_name: name, size: sizeBytes, last_modified: iso(modifiedAt) })),
      },
    }
  }
