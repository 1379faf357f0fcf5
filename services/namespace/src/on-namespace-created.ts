import { namespaceCreated } from '@cairn/contracts/events'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import { on } from '@cairn/runtime/bus/message-router'

/** Creates the space early. The message is only a hint: the first writer creates the space, too. */
export const onNamespaceCreated = ({ store, vectors }: { readonly store: Store; readonly vectors: VectorIndex }) =>
  on(namespaceCreated, async ({ namespaceId }) => {
    const namespace = await store.namespaces.get(namespaceId)
    if (namespace) await vectors.ensure(embeddingSpaceOf(namespace))
  })
