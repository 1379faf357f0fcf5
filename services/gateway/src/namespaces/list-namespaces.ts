import { defaultLanguage } from '@cairn/contracts/languages'
import { modelName } from '@cairn/ports/embedder/port'
import type { Call, Reply } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { iso } from '../iso.ts'

export const listNamespaces =
  ({ metadata }: GatewayPorts) =>
  async ({ account }: Call): Promise<Reply> => {
    const namespaces = await metadata.namespaces.ofAccount(account.id)
    return {
      status: 200,
      body: {
        namespaces: namespaces.map(
          ({ name, type, dimension, embedding, language = defaultLanguage, itemCount, createdAt }) => ({
            namespace_name: name,
            type,
            vector_dimension: dimension,
            model: embedding && modelName(embedding),
            language: type === 'text' ? language : null,
            item_count: itemCount,
            created_at: iso(createdAt),
          }),
        ),
      },
    }
  }
