import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

it('each code of an error has a row in docs/sdk.md that says what to do', () => {
  const [union = ''] = /export type CairnErrorCode =[^;]*?\n\n/s.exec(read('error.ts')) ?? []
  const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code)
  const rows = [...read('../../../docs/sdk.md').matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, code]) => code)
  expect(codes.length).toBeGreaterThan(10)
  expect(rows.filter((row) => codes.includes(row)).toSorted()).toEqual(codes.toSorted())
})
