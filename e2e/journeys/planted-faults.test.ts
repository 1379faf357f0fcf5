import { afterAll, expect, it } from 'vitest'
import { hunt } from '../simulator/hunt.ts'
import { plantedFaults } from '../simulator/planted-faults.ts'

const seeds = 500
const table: string[] = []

afterAll(() => console.log(table.join('\n')))

// Tests the simulator itself: it must detect every planted fault, each of which removes one clause of the protocol.
it('plants at least ten faults', () => {
  expect(plantedFaults.length).toBeGreaterThanOrEqual(10)
})

it.each(plantedFaults.map((fault) => [fault.name, fault] as const))(
  `finds %s within ${seeds} seeds`,
  async (name, fault) => {
    const find = await hunt(fault, 1, seeds)
    table.push(`${name.padEnd(32)} ${find ? `seed ${String(find.seed).padStart(3)}  ${find.violation}` : 'unnoticed'}`)
    expect(find, `${name} went unnoticed in ${seeds} seeds`).toBeDefined()
  },
)
