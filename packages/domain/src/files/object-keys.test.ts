import { expect, it } from 'vitest'
import { legacyObjectPrefix, objectKey, objectPrefix, partsOfKey } from './object-keys.ts'

const files = { prefix: 'cairn' }
const namespace = { id: 'ns_1', accountId: 'acc_1', name: 'notes' }

it('ends in account, namespace and file, behind the installation and the id of the namespace', () => {
  expect(objectKey(files, namespace, 'a/b.txt')).toBe('cairn/ns_1/acc_1/notes/a/b.txt')
  expect(objectKey(files, namespace, 'a.txt').startsWith(objectPrefix(files, 'ns_1'))).toBe(true)
})

it.each(['a.txt', 'folder/in a/folder.md', "it's + 100% #1?.csv", '文件/ü.pdf', 'cairn/a.txt'])(
  'takes a key apart into what it was made of: %s',
  (fileName) => {
    const parts = { accountId: 'acc_1', namespaceName: 'notes', fileName }
    expect(partsOfKey(files, objectKey(files, namespace, fileName))).toEqual({ namespaceId: 'ns_1', ...parts })
    expect(partsOfKey(files, legacyObjectPrefix('acc_1', 'notes') + fileName)).toEqual(parts)
  },
)

it.each([
  ['', { accountId: '', namespaceName: '', fileName: '' }],
  ['stray.txt', { accountId: 'stray.txt', namespaceName: '', fileName: '' }],
  ['acc_1/stray.txt', { accountId: 'acc_1', namespaceName: 'stray.txt', fileName: '' }],
  ['cairn/stray.txt', { namespaceId: 'stray.txt', accountId: '', namespaceName: '', fileName: '' }],
])('leaves empty what a key lacks: %j', (key, parts) => {
  expect(partsOfKey(files, key)).toEqual(parts)
})
