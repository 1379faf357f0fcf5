import { describe, expect, it } from 'vitest'
import { createCursors } from './cursor.ts'

const cursors = createCursors(Buffer.alloc(32, 7))
const binding = { accountId: 'a', namespaceId: 'n' }

describe('cursors', () => {
  it('open for whom they were sealed', () => {
    expect(cursors.open(cursors.seal('doc 😀', binding), binding)).toBe('doc 😀')
  })

  it.each([
    ['another account', { accountId: 'b', namespaceId: 'n' }],
    ['another namespace', { accountId: 'a', namespaceId: 'm' }],
    ['names that only look alike when joined', { accountId: 'an', namespaceId: '' }],
  ])('stay shut for %s', (_, other) => {
    expect(cursors.open(cursors.seal('doc', binding), other)).toBeUndefined()
  })

  it('stay shut when any bit is changed', () => {
    const bytes = Buffer.from(cursors.seal('doc', binding), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const altered = Buffer.from(bytes)
      altered[bit >> 3] = (altered[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(cursors.open(altered.toString('base64url'), binding)).toBeUndefined()
    }
  })

  it('stay shut in any spelling but their own', () => {
    const token = cursors.seal('doc', binding)
    for (const other of [`${token}=`, `${token}A`, token.slice(0, -1), '', 'A', '%', 'A'.repeat(1_000_000)])
      expect(cursors.open(other, binding)).toBeUndefined()
  })

  it('stay shut under another secret', () => {
    expect(createCursors(Buffer.alloc(32, 8)).open(cursors.seal('doc', binding), binding)).toBeUndefined()
  })

  it('show nothing of what they hold', () => {
    expect(Buffer.from(cursors.seal('document-of-somebody', binding), 'base64url').toString('latin1')).not.toContain(
      'document',
    )
  })
})
