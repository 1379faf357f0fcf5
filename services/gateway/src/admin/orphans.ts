import { atOnce } from '@cairn/contracts/at-once'
import { approveOrphansBody, orphansQuery } from '@cairn/contracts/http/admin'
import type { Endpoint } from '@cairn/runtime/api-request'
import { parse } from '@cairn/runtime/parse'
import type { Caller } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { iso } from '../iso.ts'

const approvalsAtOnce = 16

export const listOrphans =
  ({ metadata }: Pick<GatewayPorts, 'metadata'>): Endpoint<Caller> =>
  async ({ query }) => {
    const { limit, after } = parse(orphansQuery, query)
    const orphans = await metadata.orphans.page({ limit, ...(after === undefined ? {} : { after }) })
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
  }

export const approveOrphans =
  ({ metadata }: Pick<GatewayPorts, 'metadata'>): Endpoint<Caller> =>
  async ({ body }) => {
    const { keys } = parse(approveOrphansBody, body)
    const approved = await atOnce(approvalsAtOnce, [...new Set(keys)], (key) => metadata.orphans.approve(key))
    return { status: 200, body: { approved: approved.filter(Boolean).length } }
  }
