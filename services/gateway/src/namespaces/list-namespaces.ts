import { operations } from '@cairn/contracts/operations'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { namespaceView } from './namespace-view.ts'

export const listNamespaces = ({ metadata }: GatewayPorts) =>
  accountEndpoint(operations.listNamespaces, async ({ account }) => {
    const namespaces = await metadata.namespaces.ofAccount(account.id)
    return { status: 200, body: { namespaces: namespaces.map(namespaceView) } }
  })
