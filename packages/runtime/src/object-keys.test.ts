import { expect, it } from 'vitest'
import { objectKey, partsOfKey } from './object-keys.ts'

it.each(['a.txt', 'folder/in a/folder.md', "it's + 100% #1?.csv", '文件/ü.pdf'])(
  'takes a key apart into what it was made of: %s',
  (fileName) => {
    const parts = { accountId: 'acc_1', namespaceName: 'notes', fileName }
    expect(partsOfKey(objectKey('acc_1', 'notes', fileName))).toEqual(parts)
  },
)

it.each([
  ['', { accountId: '', namespaceName: '', fileName: '' }],
  ['stray.txt', { accountId: 'stray.txt', namespaceName: '', fileName: '' }],
  ['acc_1/stray.txt', { accountId: 'acc_1', namespaceName: 'stray.txt', fileName: '' }],
])('leaves empty what a key of nobody lacks: %j', (key, parts) => {
  expect(partsOfKey(key)).toEqual(parts)
})
