import { storeContract } from '@cairn/domain/store.contract'
import { randomTurns } from './random-turns.ts'
import { seededRandom } from './seeded-random.ts'
import { stalled } from './stalled.ts'
import { stepwiseData, stepwiseStore } from './stepwise-store.ts'

let opened = 0

storeContract({
  open: async () => {
    opened += 1
    const data = stepwiseData()
    let time = 1_000_000
    const now = () => time
    return {
      store: stepwiseStore({ data, now, turn: randomTurns(seededRandom(opened)), elementTurns: true }),
      advance: (ms) => {
        time += ms
      },
      stall: (step, call, { element, aheadMs } = {}) =>
        stalled((hooks) => stepwiseStore({ data, now, ...hooks, elementTurns: true, aheadMs }), {
          step,
          element,
          call,
        }),
    }
  },
  lacks: {},
})
