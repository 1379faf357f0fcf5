import { send } from './api.ts'

export type Queue = { readonly service: string; readonly jobs: number; readonly oldestSeconds: number }

/** Reads the due jobs of each service from the text of the metrics. */
export const parseQueues = (metrics: string): Queue[] => {
  const read = (metric: string) =>
    new Map(
      [...metrics.matchAll(new RegExp(`^${metric}\\{service="([^"]+)"\\} ([0-9.eE+-]+)$`, 'gm'))].map(
        ([, service = '', value]) => [service, Number(value)],
      ),
    )
  const oldest = read('cairn_due_jobs_oldest_seconds')
  return [...read('cairn_due_jobs')].map(([service, jobs]) => ({
    service,
    jobs,
    oldestSeconds: oldest.get(service) ?? 0,
  }))
}

export const getQueues = async (): Promise<readonly Queue[]> => {
  const response = await send('/metrics')
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  return parseQueues(await response.text())
}
