import { operations } from '@cairn/contracts/api/operations'
import { atOnce } from '@cairn/contracts/flow/at-once'
import type { Endpoint } from '@cairn/runtime/http/api-request'
import { endpoint } from '@cairn/runtime/http/endpoint'
import type { Caller } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { iso } from '../iso.ts'

const approvalsAtOnce = 16

export const listOrphans = ({ store }: Pick<GatewayPorts, 'store'>): Endpoint<Caller> =>
  endpoint(operations.listOrphans, async ({ query }) => {
    const { limit, after } = query()
    const orphans = await store.orphans.page({ limit, ...(after === undefined ? {} : { after }) })
    const view = orphans.map(({ key, sizeBytes, firstSeenAt, lastSeenAt, approved }) => ({
      key,
      size: sizeBytes,
      first_seen_at: iso(firstSeenAt),
      last_seen_at: iso(lastSeenAt),
      approved,
    }))
    return {
      status: 200,
      body: { orphans: view, next: orphans.length === limit ? (orphans.at(-1)?.key ?? null) : null },
    }
  })

export const approveOrphans = ({ store }: Pick<GatewayPorts, 'store'>): Endpoint<Caller> =>
  endpoint(operations.approveOrphans, async ({ body }) => {
    const { keys } = body()
    const approved = await atOnce(approvalsAtOnce, [...new Set(keys)], (key) => store.orphans.approve(key))
    return { status: 200, body: { approved: approved.filter(Boolean).length } }
  })
