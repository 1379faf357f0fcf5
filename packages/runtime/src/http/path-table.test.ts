import { operations } from '@cairn/contracts/api/operations'
import { edgeOperations } from '@cairn/contracts/http/edge'
import { putSignedFile } from '@cairn/contracts/http/signed-put'
import { describe, expect, it } from 'vitest'
import { createPathTable, emptyParameterPattern, expressPath, parameterNames } from './path-table.ts'

const files = {
  ...operations.getDocuments,
  operationId: 'listFiles',
  method: 'get',
  path: '/v1/namespaces/{namespace_name}/list-files',
  errors: 'files',
} as const
const table = createPathTable([...Object.values(operations), files])

describe('paths', () => {
  it('are spelled for Express', () => {
    expect(expressPath('/v1/namespaces/{namespace_name}/uploads/{upload_id}')).toBe(
      '/v1/namespaces/:namespace_name/uploads/:upload_id',
    )
    expect(parameterNames('/a/{b}/c/{d}')).toEqual(['b', 'd'])
  })

  it('may end in several segments', () => {
    const keys = createPathTable([putSignedFile])
    expect(expressPath('/files/{+key}')).toBe('/files/*key')
    expect(keys.methodsAt('/files/a/b.txt')).toEqual(['PUT'])
    expect(keys.methodsAt('/files/')).toEqual([])
    expect(keys.shapeAt('/files/')).toBe('s3')
    expect(emptyParameterPattern('/files/{+key}')).toBeUndefined()
  })

  it('are known with all their methods', () => {
    expect(table.methodsAt('/v1/namespaces')).toEqual(['POST', 'GET'])
    expect(table.methodsAt('/v1/namespaces/a')).toEqual(['GET', 'DELETE'])
    expect(table.methodsAt('/v1/namespaces/a/documents/')).toEqual(['POST'])
    expect(table.methodsAt('/openapi.json')).toEqual(['GET'])
    expect(table.methodsAt('/openapiXjson')).toEqual([])
    expect(table.methodsAt('/v1/nothing')).toEqual([])
  })

  it('lend their error shape to what is near them', () => {
    expect(table.shapeAt('/v1/namespaces/a/list-files')).toBe('files')
    expect(table.shapeAt('/v1/namespaces/a/list-files/more')).toBe('files')
    expect(table.shapeAt('/v1/namespaces/a/other')).toBe('data')
    expect(table.shapeAt('/')).toBe('data')
    expect(table.shapeAt('')).toBe('data')
  })

  it('lend it to every path where they have one shape', () => {
    const edge = createPathTable(Object.values(edgeOperations))
    expect(edge.shapeAt('/v1/search')).toBe('edge')
  })

  it('fit with empty parameters when asked to', () => {
    const pattern = emptyParameterPattern('/v1/namespaces/{namespace_name}/documents')
    expect(pattern?.test('/v1/namespaces//documents')).toBe(true)
    expect(pattern?.test('/v1/namespaces/documents')).toBe(false)
    expect(emptyParameterPattern('/v1/namespaces/{namespace_name}')?.test('/v1/namespaces/')).toBe(true)
    expect(emptyParameterPattern('/v1/namespaces/{namespace_name}')?.test('/v1/namespaces')).toBe(false)
    expect(emptyParameterPattern('/v1/search')).toBeUndefined()
  })
})
