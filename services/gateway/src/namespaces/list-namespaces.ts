import type { Call, Reply } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { namespaceView } from './namespace-view.ts'

export const listNamespaces =
  ({ metadata }: GatewayPorts) =>
  async ({ account }: Call): Promise<Reply> => {
    const namespaces = await metadata.namespaces.ofAccount(account.id)
    return { status: 200, body: { namespaces: namespaces.map(namespaceView) } }
  }
