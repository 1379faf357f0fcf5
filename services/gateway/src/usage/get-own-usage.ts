import { operations } from '@cairn/contracts/api/operations'
import { tierOf } from '@cairn/domain/accounts/tiers'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { periodOf } from '../usage-meter.ts'
import { readUsageHistory } from './usage-history.ts'

export const getOwnUsage = (deps: GatewayPorts) =>
  accountEndpoint(operations.getOwnUsage, async ({ account, query }) => {
    const { store, clock, tiers } = deps
    const period = periodOf(clock.now())
    const history = await readUsageHistory(deps, account.id, query())
    const usage = await store.usage.get(account.id, period)
    return {
      status: 200,
      body: {
        period,
        requests: { used: usage?.requests ?? 0, limit: tierOf(tiers, account.tier).requests },
        credits: { used: usage?.credits ?? 0 },
        ...history,
      },
    }
  })
