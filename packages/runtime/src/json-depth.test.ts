import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createDepthScanner } from './json-depth.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const passes = (text: string, maxDepth = 64) => createDepthScanner(maxDepth)(bytes(text))

it('lets 64 levels pass and refuses 65, of arrays and of objects', () => {
  expect(passes('['.repeat(64))).toBe(true)
  expect(passes('['.repeat(65))).toBe(false)
  expect(passes('{"a":'.repeat(64))).toBe(true)
  expect(passes('{"a":'.repeat(65))).toBe(false)
})

it('counts what is open at once, not what there is', () => {
  expect(passes(`[${'[],'.repeat(1_000)}1]`, 2)).toBe(true)
})

it('overlooks brackets within strings, also behind escapes', () => {
  expect(passes(JSON.stringify(['[[[[', '\\"[[[[', '\\', '{{{{']), 1)).toBe(true)
  expect(passes('["\\\\",[1]]', 1)).toBe(false)
})

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

it('finds the depth of any JSON, however it is cut into pieces', () => {
  const property = fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(20), (value, cut) => {
    const all = bytes(JSON.stringify(value))
    const scan = (maxDepth: number) => {
      const isShallow = createDepthScanner(maxDepth)
      return isShallow(all.subarray(0, cut)) && isShallow(all.subarray(cut))
    }
    const depth = depthOf(value)
    return scan(depth) && (depth === 0 || !scan(depth - 1))
  })
  expect(() => fc.assert(property)).not.toThrow()
})
