import { operations } from '@cairn/contracts/api/operations'
import { unreadScripts } from '@cairn/contracts/text/scripts'
import { type Embedder, identityOf, modelName } from '@cairn/domain/ports/embedder'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'

const stateOf = (embedder: Embedder) => {
  // Reading the status of an idle model would load it.
  if (embedder.isIdle?.()) return { state: 'idle' } as const
  const status = embedder.status()
  const progress = status.state === 'loading' ? status.progress : undefined
  return { state: status.state, ...(progress === undefined ? {} : { progress }) }
}

export const listModels = ({ embedders }: Pick<GatewayPorts, 'embedders'>) =>
  accountEndpoint(operations.listModels, async () => {
    // Not by the object: a traced registry returns another one each time.
    const current = identityOf(embedders.current().model)
    const models = embedders.names().flatMap((name) => {
      const embedder = embedders.named(name)
      if (!embedder) return []
      const { model, reads } = embedder
      return [
        {
          name: modelName(model),
          provider: model.provider,
          dimension: model.dimension,
          is_default: identityOf(model) === current,
          ...stateOf(embedder),
          ...(reads && { unread_scripts: unreadScripts(reads) }),
        },
      ]
    })
    return { status: 200, body: { models } }
  })
