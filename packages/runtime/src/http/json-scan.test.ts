import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createJsonScanner } from './json-scan.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const passes = (text: string, maxDepth = 64) => createJsonScanner(maxDepth).scan(bytes(text))

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
      const scanner = createJsonScanner(maxDepth)
      return scanner.scan(all.subarray(0, cut)) && scanner.scan(all.subarray(cut))
    }
    const depth = depthOf(value)
    return scan(depth) && (depth === 0 || !scan(depth - 1))
  })
  expect(() => fc.assert(property)).not.toThrow()
})

const countsOf = (value: unknown): { keys: number; containers: number; elements: number } => {
  if (typeof value !== 'object' || value === null) return { keys: 0, containers: 0, elements: 0 }
  const parts = Object.values(value).map(countsOf)
  const sum = (name: 'keys' | 'containers' | 'elements') => parts.reduce((all, part) => all + part[name], 0)
  return {
    keys: sum('keys') + (Array.isArray(value) ? 0 : parts.length),
    containers: sum('containers') + 1,
    elements: sum('elements') + Math.max(0, parts.length - 1),
  }
}

it('counts the keys, containers and elements of any JSON, however it is cut into pieces', () => {
  const property = fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(20), fc.nat(3), (value, cut, indent) => {
    const all = bytes(JSON.stringify(value, undefined, indent))
    const scanner = createJsonScanner(64)
    scanner.scan(all.subarray(0, cut))
    scanner.scan(all.subarray(cut))
    expect(scanner.counts()).toEqual({ depth: 0, ...countsOf(value) })
  })
  fc.assert(property)
})

it('tells the lengths of arrays that are fields of the body, by name, however it is cut into pieces', () => {
  const text =
    '{ "query": "[1,2,3] \\"", "ids" : [1, "a,b", [1,2,3], {"ids":[1,2]}], "empty": [], "ids": [1], "documents":[{},{}] }'
  const all = bytes(text)
  for (let cut = 0; cut <= all.length; cut += 1) {
    const scanner = createJsonScanner(64)
    scanner.scan(all.subarray(0, cut))
    scanner.scan(all.subarray(cut))
    expect(Object.fromEntries(scanner.lengths())).toEqual({ ids: 4, empty: 1, documents: 2 })
  }
})
