import { systemClock } from '@cairn/adapters/clock/system'
import { mongodbStore } from '@cairn/adapters/store/mongodb'
import { qdrantVectorIndex } from '@cairn/adapters/vector-index/qdrant'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Embedders } from '@cairn/domain/ports/embedder'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { auditIndexRange } from '../../services/ingestion/src/audit-index.ts'
import { auditNamespace } from '../../services/namespace/src/audit.ts'
import { countContent } from '../../services/namespace/src/count-content.ts'
import { recoverCounts } from '../../services/namespace/src/recover-counts.ts'
import { withCluster } from '../harness/cluster.ts'
import { missingEngines } from '../harness/engines.ts'
import { createNamespace, fillNamespace } from '../harness/namespaces.ts'
import type { Row } from '../harness/row.ts'
import { clusteredData } from '../vector-index/data.ts'

const dimension = 384
const idleCalls = 200
const never = new AbortController().signal
const log = { warn: () => undefined }

/** No point is missing, so nothing is embedded. */
const embedders: Embedders = {
  current: () => {
    throw new Error('the audit found missing points')
  },
  of: () => undefined,
  named: () => undefined,
  names: () => [],
  close: async () => undefined,
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

const repeated = async (work: () => Promise<unknown>): Promise<void> => {
  for (let call = 0; call < idleCalls; call += 1) await work()
}

export const row: Row = {
  name: 'cluster-periodic',
  what: 'costs of the periodic work of a cluster for each item, and when it is idle',
  method: `20,000 vectors of ${dimension} dimensions in one namespace. The work runs in the process of the load, without its pauses, on the stand-ins: the audit of points, the audit of items, the full count, and ${idleCalls} idle calls each of the sweep and of the look for items to reopen.`,
  figures: [
    { name: 'points', unit: 'ms for 1,000 points (namespace-audit)', digits: 1 },
    { name: 'items', unit: 'ms for 1,000 items (index-audit)', digits: 1 },
    { name: 'count', unit: 'ms for 1,000 items (full count)', digits: 1 },
    { name: 'sweep', unit: 'ms, idle (sweep)', digits: 2 },
    { name: 'reopen', unit: 'ms, idle (reopen-uploads)', digits: 2 },
  ],
  missing: missingEngines,
  open: (context) =>
    withCluster(context, {}, async (product) => {
      const count = context.quick ? 1_000 : 20_000
      await createNamespace(product, 'bench', dimension)
      await fillNamespace(product, 'bench', clusteredData({ rows: count, dimension }).rows)
      const { settings } = product
      const store = mongodbStore({
        url: settings['CAIRN_MONGODB_URL'] ?? '',
        database: settings['CAIRN_MONGODB_DATABASE'] ?? '',
      })
      const vectors = qdrantVectorIndex({
        url: settings['CAIRN_QDRANT_URL'] ?? '',
        prefix: settings['CAIRN_QDRANT_PREFIX'] ?? '',
        ...(settings['CAIRN_QDRANT_API_KEY'] ? { apiKey: settings['CAIRN_QDRANT_API_KEY'] } : {}),
      })
      const clock = { ...systemClock(), delay: async () => undefined }
      const deps = { store, vectors, clock, log }
      const indexRange = auditIndexRange({ ...deps, embedders, textWorker: directTextWorker })
      const [namespace] = (await store.namespaces.page({ limit: 1 })) as [Namespace]
      const sweep = recoverCounts(deps)
      const perThousand = async (work: () => Promise<unknown>) => ((await timed(work)) * 1_000) / count
      return {
        sides: [
          {
            name: 'cluster',
            round: async () => ({
              points: await perThousand(() => auditNamespace(deps)(namespace, never)),
              items: await perThousand(async () => {
                for (let cursor: string | null = null; ; ) {
                  cursor = await indexRange(cursor, never)
                  if (cursor === null) break
                }
              }),
              count: await perThousand(() => countContent(deps)(namespace.id, never)),
              sweep: (await timed(() => repeated(sweep))) / idleCalls,
              reopen:
                (await timed(() =>
                  repeated(() => store.uploads.reopen({ after: 0, before: clock.now(), limit: 500 })),
                )) / idleCalls,
            }),
          },
        ],
        close: async () => {
          await vectors.close()
          await store.close()
          await product.close()
        },
      }
    }),
}
