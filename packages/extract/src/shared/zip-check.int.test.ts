import { writeFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import { type ZipEntry, zip } from '@cairn/testing/material/zip-writer'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { docx } from '../read-file.fixture.ts'
import { checkZip, openZip } from './zip-check.ts'

/** Returns the error code of a rejected archive, or `none`; expects the rejection within 9 seconds. */
const refusal = async (bytes: Buffer): Promise<unknown> => {
  const path = temporaryFile('file.zip')
  writeFileSync(path, bytes)
  const started = performance.now()
  try {
    const opened = await openZip(path)
    try {
      await checkZip(opened)
      return 'none'
    } finally {
      opened.close()
    }
  } catch (error) {
    expect(performance.now() - started).toBeLessThan(9_000)
    return (error as { code?: unknown }).code
  }
}

const zeros = (megabytes: number): Buffer => deflateRawSync(Buffer.alloc(megabytes * 1024 * 1024), { level: 1 })
const part = (name: string, entry: Partial<ZipEntry> = {}): ZipEntry => ({ name, data: '<x/>', ...entry })

it('accepts a valid archive', async () => {
  expect(
    await refusal(
      zip([part('a.xml'), part('b/c.xml', { stored: true }), part('picture.png', { data: Buffer.alloc(100_000) })]),
    ),
  ).toBe('none')
})

it('reads an archive that other bytes follow', async () => {
  const archive = zip([part('a.xml'), part('b.png', { data: Buffer.alloc(100_000) })])
  for (const after of ['\n', 'PK\x05\x06', '\0'.repeat(300_000), `PK\x05\x06${'\xff'.repeat(40)}`])
    expect(await refusal(Buffer.concat([archive, Buffer.from(after, 'latin1')]))).toBe('none')
  expect(await refusal(archive.subarray(0, -1))).toBe('damaged')
})

it('refuses an archive that declares far more unpacked bytes than its size allows', async () => {
  const compressed = zeros(40)
  const small = zeros(1)
  expect(await refusal(zip([part('a.xml', { compressed, claimedSize: 40 * 1024 * 1024 })]))).toBe('expands_too_large')
  const many = Array.from({ length: 300 }, (_, index) =>
    part(`${index}.xml`, { compressed: small, claimedSize: 1024 * 1024 }),
  )
  expect(await refusal(zip(many))).toBe('expands_too_large')
})

it('refuses an entry that unpacks to more than it declares', async () => {
  expect(await refusal(zip([part('a.xml', { compressed: zeros(40), claimedSize: 1000 })]))).toBe('expands_too_large')
})

it('refuses an archive with too many entries', async () => {
  expect(await refusal(zip([part('a.xml')], { claimedEntries: 65_535 }))).toBe('expands_too_large')
})

it('refuses entries that overlap', async () => {
  expect(await refusal(zip([part('a.xml', { claimedOffset: 0 }), part('b.xml', { claimedOffset: 0 })]))).toBe(
    'expands_too_large',
  )
})

it('does not open nested archives', async () => {
  const inner = zip([part('bomb', { compressed: zeros(40), claimedSize: 40 * 1024 * 1024 })])
  expect(await refusal(zip([part('inner.docx', { data: inner })]))).toBe('none')
})

it('refuses a damaged archive', async () => {
  const whole = docx('<w:p/>')
  expect(await refusal(whole.subarray(0, whole.length - 30))).toBe('damaged')
  expect(await refusal(zip([part('a.xml'), part('a.xml')]))).toBe('damaged')
  expect(await refusal(zip([part('../a.xml')]))).toBe('damaged')
  expect(await refusal(zip([part('a.xml', { compressed: Buffer.from('not deflated'), claimedSize: 100 })]))).toBe(
    'damaged',
  )
})
