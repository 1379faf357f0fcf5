import { operations } from '@cairn/contracts/api/operations'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { iso, isoOrNull } from '../iso.ts'
import { waitFor } from '../wait-for.ts'

/** Later re-checks change nothing for the client. */
const states = {
  accepting: 'queued',
  queued: 'queued',
  running: 'running',
  rechecking: 'completed',
  completed: 'completed',
  failed: 'failed',
} as const

const isFinal = { queued: false, running: false, completed: true, failed: true } as const

export const getDeletion = (deps: GatewayPorts) =>
  accountEndpoint(operations.getDeletion, async (call) => {
    const { store, clock, estimates } = deps
    const { wait } = call.query()
    const read = () => call.readable.deletion(call.params.deletion_id)
    const waiting = { seconds: wait, signal: call.signal }
    const deletion = await waitFor(deps, waiting, read, ({ state }) => isFinal[states[state]])
    const { id, target, namespaceName, file, removed, leaseSeq, createdAt, updatedAt, finishedAt } = deletion
    const state = states[deletion.state]
    // Due times are store time; clients expect wall time.
    const dueIn = state === 'queued' ? Math.max(0, deletion.nextAttemptAt - (await store.now())) : undefined
    const end = isFinal[state] ? undefined : await estimates.endOf('deletions', deletion)
    return {
      status: 200,
      body: {
        deletion_id: id,
        target,
        namespace_name: namespaceName,
        file_name: file?.name ?? null,
        state,
        removed,
        attempts: leaseSeq,
        created_at: iso(createdAt),
        updated_at: iso(updatedAt),
        finished_at: isoOrNull(finishedAt ?? (isFinal[state] ? updatedAt : null)),
        estimated_completion: isoOrNull(end ?? null),
        next_attempt_at: isoOrNull(dueIn === undefined ? null : clock.now() + dueIn),
      },
    }
  })
