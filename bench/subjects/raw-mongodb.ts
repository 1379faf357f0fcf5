// What the metadata store could do if accepting a document were nothing but writing its row: the same rows, a copy of the
// collection, the same write concern, several callers that wait for their answer.
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
