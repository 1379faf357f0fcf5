import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { apiInfo, buildOpenApi } from './api/openapi.ts'
import { operationList } from './api/operations.ts'
import { edgeApiInfo } from './http/edge.ts'

const root = join(import.meta.dirname, '../../..')

it('is the same in the package, in both documents of the API and in what the assistants read', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
  expect([apiInfo.version, edgeApiInfo.version]).toEqual([version, version])
})

it('lists operations in the order of their use: those that maintain a namespace after search', () => {
  const { tags, paths } = buildOpenApi(operationList)
  const names = tags.map(({ name }) => name)
  const order = ['Namespaces', 'Documents', 'Search', 'Answers', 'Maintenance', 'Admin']
  expect(names.filter((name) => order.includes(name))).toEqual(order)
  const listed = Object.keys(paths)
  expect(listed.indexOf('/v1/search')).toBeLessThan(listed.indexOf('/v1/namespaces/{namespace_name}/reindex'))
})
