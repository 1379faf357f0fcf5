import { operations } from '@cairn/contracts/operations'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { namespaceOf } from '../find-namespace.ts'
import { namespaceView } from './namespace-view.ts'

/** Addition to the published API. */
export const getNamespace = ({ metadata }: GatewayPorts) =>
  accountEndpoint(operations.getNamespace, async (call) => {
    const namespace = await namespaceOf(metadata, call)
    return { status: 200, body: namespaceView(namespace) }
  })
