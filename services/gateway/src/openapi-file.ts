import { buildOpenApi } from '@cairn/contracts/api/openapi'
import { operationList } from '@cairn/contracts/api/operations'

export const openApiFile = new URL('../../../docs/openapi.json', import.meta.url)

/** As of `npm start`: unlike the document that a server sends, a file has no server of its own. */
const server = 'http://localhost:3000'

export const openApiText = (): string => `${JSON.stringify(buildOpenApi(operationList, { server }), null, 2)}\n`
