import { fileReasons } from '@cairn/contracts/files/file-reasons'
import { fileTypes } from '@cairn/contracts/files/file-rules'
import { mutationKinds } from '@cairn/testing/material/mutate'
import { expect, it } from 'vitest'
import { expectedOf } from './expected.ts'

it.each(fileTypes)('says of every way a %s can be spoilt how it may end', (type) => {
  for (const kind of mutationKinds(type)) {
    const { codes, text } = expectedOf({ type, kind })
    expect(codes.length + (text === undefined ? 0 : 1), kind).toBeGreaterThan(0)
    for (const code of codes) expect(Object.keys(fileReasons)).toContain(code)
  }
})

it('never finds it right that a parser crashes or that we make a mistake', () => {
  for (const type of fileTypes)
    for (const kind of mutationKinds(type))
      for (const code of ['internal', 'parser_crashed', 'crashed_worker'] as const)
        expect(expectedOf({ type, kind }).codes).not.toContain(code)
})
