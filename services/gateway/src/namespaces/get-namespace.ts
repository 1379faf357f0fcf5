import type { Call, Reply } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { findNamespace } from '../find-namespace.ts'
import { namespaceView } from './namespace-view.ts'

/** Addition to the published API. */
export const getNamespace =
  ({ metadata }: GatewayPorts) =>
  async ({ account, params }: Call): Promise<Reply> => {
    const namespace = await findNamespace(metadata, account.id, params['namespace_name'] ?? '')
    return { status: 200, body: namespaceView(namespace) }
  }
