import { expect, it } from 'vitest'
import { objectKey, objectPrefix, partsOfKey } from './object-keys.ts'

const files = { prefix: 'cairn' }
const namespace = { id: 'ns_1', accountId: 'acc_1', name: 'notes' }

it('ends in account, namespace and file, behind the installation and the id of the namespace', () => {
  expect(objectKey(files, namespace, 'a/b.txt')).toBe('cairn/ns_1/acc_1/notes/a/b.txt')
  expect(objectKey(files, namespace, 'a.txt').startsWith(objectPrefix(files, 'ns_1'))).toBe(true)
})

it.each(['a.txt', 'folder/in a/folder.md', "it's + 100% #1?.csv", '文件/ü.pdf', 'cairn/a.txt'])(
  'takes a key apart into what it was made of: %s',
  (fileName) => {
    const parts = { namespaceId: 'ns_1', accountId: 'acc_1', namespaceName: 'notes', fileName }
    expect(partsOfKey(files, objectKey(files, namespace, fileName))).toEqual(parts)
  },
)

const none = { namespaceId: '', accountId: '', namespaceName: '', fileName: '' }

it.each([
  ['', none],
  ['stray.txt', none],
  ['acc_1/notes/stray.txt', none],
  ['cairn/stray.txt', { ...none, namespaceId: 'stray.txt' }],
  ['cairn/ns_1/acc_1', { ...none, namespaceId: 'ns_1', accountId: 'acc_1' }],
])('leaves empty what a key lacks: %j', (key, parts) => {
  expect(partsOfKey(files, key)).toEqual(parts)
})
