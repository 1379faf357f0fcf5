import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { apiInfo, buildOpenApi } from './api/openapi.ts'
import { operationList } from './api/operations.ts'
import { edgeApiInfo } from './http/edge.ts'
import { productVersion } from './product-version.ts'

const root = join(import.meta.dirname, '../../..')

it('is the same in the package, in both documents of the API and in what the assistants read', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
  expect([apiInfo.version, edgeApiInfo.version]).toEqual([version, version])
})

it('is the version of every package, of the image and of the chart', () => {
  const text = (path: string) => readFileSync(join(root, path), 'utf8')
  const folders = ['packages', 'services'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
  )
  const manifests = [...folders, 'bench', 'e2e'].map((folder) => `${folder}/package.json`)
  for (const path of manifests.filter((each) => existsSync(join(root, each))))
    expect(JSON.parse(text(path)), path).toMatchObject({ version: productVersion })
  expect(text('infra/Dockerfile')).toContain(`ARG VERSION=${productVersion}\n`)
  expect(text('infra/helm/cairn/Chart.yaml')).toContain(`\nversion: ${productVersion}\nappVersion: ${productVersion}\n`)
})

it('lists operations in the order of their use: those that maintain a namespace after search', () => {
  const { tags, paths } = buildOpenApi(operationList)
  const names = tags.map(({ name }) => name)
  const order = ['Namespaces', 'Documents', 'Search', 'Answers', 'Maintenance', 'Admin']
  expect(names.filter((name) => order.includes(name))).toEqual(order)
  const listed = Object.keys(paths)
  expect(listed.indexOf('/v1/search')).toBeLessThan(listed.indexOf('/v1/namespaces/{namespace_name}/reindex'))
})
