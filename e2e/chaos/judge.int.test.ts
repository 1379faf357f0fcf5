import { createLedger } from '@cairn/testing/ledger'
import { atTheEnd, ledgerHistory } from '@cairn/testing/ledger-history'
import { expect, it } from 'vitest'
import { tallyOf } from './judge.ts'
import { countWrites } from './outcomes.ts'

const upload = (id: string, text = `text of ${id}`) =>
  ({ kind: 'upload', namespace: 'notes', documents: [{ id, text, metadata: {} }] }) as const

it('counts as lost what the history says is missing', () => {
  const ledger = createLedger()
  ledger.acknowledge(ledger.begin('acc', upload('a')))
  const violation = ledgerHistory(ledger.entries).notAbsent({ accountId: 'acc', namespace: 'notes', id: 'a' }, atTheEnd)
  const reported = [`${violation?.invariant}: ${violation?.message}`, `I10: walk 3: ${violation?.message}`]
  expect(tallyOf([...reported, 'I1: notes/b is still processing'])).toEqual({ lost: 1, doubled: 0 })
})

it('counts documents and requests by their outcome', () => {
  const ledger = createLedger()
  ledger.acknowledge(ledger.begin('acc', upload('a')), { uploadId: 'u' })
  ledger.acknowledge(ledger.begin('acc', { kind: 'delete', namespace: 'notes', ids: ['a', 'b'] }))
  ledger.refuse(ledger.begin('acc', upload('c')))
  ledger.begin('acc', upload('d'))
  ledger.acknowledge(ledger.begin('acc', { kind: 'walk', namespace: 'notes' }))
  expect(countWrites(ledger.entries, 'acknowledged')).toEqual({ requests: 2, documents: 3 })
  expect(countWrites(ledger.entries, 'refused')).toEqual({ requests: 1, documents: 1 })
  expect(countWrites(ledger.entries, 'unknown')).toEqual({ requests: 1, documents: 1 })
})
