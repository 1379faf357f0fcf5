import { statSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import { diskSpace } from './disk-space.ts'

const kilo = 1024
const reserve = 100 * kilo

const setUp = ({ free = 10 * reserve, total = 100 * reserve, reserveBytes = reserve } = {}) => {
  const directory = temporaryDirectory()
  const disk = { free, total, reusable: 0 }
  let at = 0
  const space = diskSpace({
    directory,
    reserveBytes,
    reusableBytes: () => disk.reusable,
    measure: () => disk,
    now: () => at,
  })
  return {
    ...space,
    disk,
    held: () => statSync(join(directory, 'reserve'), { throwIfNoEntry: false })?.size ?? 0,
    pass: (ms: number) => {
      at += ms
    },
  }
}

describe('the reserve', () => {
  it('is taken where there is twice its space, and given back when a quarter of it is left', () => {
    const { disk, keepReserve, held } = setUp({ free: 2 * reserve - 1 })
    keepReserve()
    expect(held()).toBe(0)
    disk.free = 2 * reserve
    keepReserve()
    expect(held()).toBe(reserve)
    disk.free = reserve / 4
    keepReserve()
    expect(held()).toBe(reserve)
    disk.free = reserve / 4 - 1
    keepReserve()
    expect(held()).toBe(0)
  })

  it('is at most 5 % of a small disk, and none where none is wanted', () => {
    const small = setUp({ total: 10 * reserve })
    small.keepReserve()
    expect(small.held()).toBe(reserve / 2)
    const none = setUp({ free: 0, reserveBytes: 0 })
    none.keepReserve()
    expect([none.held(), none.refused()]).toEqual([0, []])
  })
})

describe('a disk that fills up', () => {
  it.each([
    [reserve, []],
    [reserve - 1, ['files']],
    [reserve / 2, ['files']],
    [reserve / 2 - 1, ['files', 'records']],
    [0, ['files', 'records']],
  ])('with %i bytes left beside the reserve refuses %j', (left, refused) => {
    const { disk, keepReserve, admit, ...space } = setUp()
    keepReserve()
    disk.free = left
    expect(space.refused()).toEqual(refused)
    for (const content of ['files', 'records'] as const) {
      if (refused.includes(content))
        expect(() => admit(content)).toThrow(expect.objectContaining({ code: 'unavailable' }))
      else expect(() => admit(content)).not.toThrow()
    }
  })

  it('refuses the same while its reserve is in use', () => {
    const { disk, refused } = setUp()
    for (const [free, expected] of [
      [2 * reserve, []],
      [2 * reserve - 1, ['files']],
      [1.5 * reserve - 1, ['files', 'records']],
    ] as const) {
      disk.free = free
      expect(refused()).toEqual(expected)
    }
  })

  it('counts the bytes that are about to come', () => {
    const { keepReserve, admit } = setUp()
    keepReserve()
    expect(() => admit('files', 9 * reserve)).not.toThrow()
    expect(() => admit('files', 9 * reserve + 1)).toThrow(/nearly full/)
  })

  it('takes records for which the stores have space within their files', () => {
    const { disk, refused, pass } = setUp()
    disk.free = 0
    expect(refused()).toEqual(['files', 'records'])
    for (const [reusable, expected] of [
      [1.5 * reserve - 1, ['files', 'records']],
      [1.5 * reserve, ['files']],
    ] as const) {
      disk.reusable = reusable
      pass(1_000)
      expect(refused()).toEqual(expected)
    }
  })
})
