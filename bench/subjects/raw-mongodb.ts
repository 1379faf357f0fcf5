// An upper bound for the record store of a cluster: several callers insert copies of the product's rows into a copy
// of its collection, with its write concern, and wait for each response.
import type { Settings } from '../harness/engines.ts'
import { keepBusy } from '../harness/keep-busy.ts'
import { openRawItems } from '../harness/raw-items.ts'
import { answerQuestions, optionsOf } from '../harness/subject.ts'

export type RawInserts = { readonly callers: number; readonly rowsPerCall: number; readonly milliseconds: number }

const items = await openRawItems(optionsOf<Settings>())

answerQuestions(
  {
    load: async ({ callers, rowsPerCall, milliseconds }: RawInserts) =>
      rowsPerCall * (await keepBusy(callers, milliseconds, () => items.insert(rowsPerCall))),
  },
  items.close,
)
