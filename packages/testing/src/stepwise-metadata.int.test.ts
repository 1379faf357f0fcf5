import { metadataContract } from '@cairn/domain/store.contract'
import { randomTurns } from './random-turns.ts'
import { seededRandom } from './seeded-random.ts'
import { stalled } from './stalled.ts'
import { stepwiseData, stepwiseMetadata } from './stepwise-metadata.ts'

let opened = 0

metadataContract({
  open: async () => {
    opened += 1
    const data = stepwiseData()
    let time = 1_000_000
    const now = () => time
    return {
      metadata: stepwiseMetadata({ data, now, turn: randomTurns(seededRandom(opened)), elementTurns: true }),
      advance: (ms) => {
        time += ms
      },
      stall: (step, call, { element, aheadMs } = {}) =>
        stalled((hooks) => stepwiseMetadata({ data, now, ...hooks, elementTurns: true, aheadMs }), {
          step,
          element,
          call,
        }),
    }
  },
  lacks: {},
})
