import { namespaceCreated } from '@cairn/contracts/events'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Metadata } from '@cairn/domain/store'
import { on } from '@cairn/runtime/message-router'

/** Creates the index space early. The message is only a hint: the first writer creates the space too. */
export const onNamespaceCreated = ({
  metadata,
  vectors,
}: {
  readonly metadata: Metadata
  readonly vectors: VectorIndex
}) =>
  on(namespaceCreated, async ({ namespaceId }) => {
    const namespace = await metadata.namespaces.get(namespaceId)
    if (namespace) await vectors.ensure(embeddingSpaceOf(namespace))
  })
