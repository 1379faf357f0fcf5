// An upper bound for the vector index of a cluster: upserts with Qdrant's own client.
import type { Settings } from '../harness/engines.ts'
import { keepBusy } from '../harness/keep-busy.ts'
import { openRawPoints } from '../harness/raw-points.ts'
import { answerQuestions, optionsOf } from '../harness/subject.ts'
import { clusteredData } from '../vector-index/data.ts'

export type RawPointsOptions = { readonly settings: Settings; readonly dimension: number }
export type RawUpserts = { readonly callers: number; readonly rowsPerCall: number; readonly milliseconds: number }

const { settings, dimension } = optionsOf<RawPointsOptions>()
const points = await openRawPoints(settings, dimension)

answerQuestions(
  {
    load: async ({ callers, rowsPerCall, milliseconds }: RawUpserts) => {
      const vectors = clusteredData({ rows: rowsPerCall, dimension, queries: 0 }).rows.map(({ vector }) => vector)
      return rowsPerCall * (await keepBusy(callers, milliseconds, () => points.upsert(vectors)))
    },
  },
  async () => undefined,
)
