import { buildOpenApi } from '@cairn/contracts/openapi'
import { operationList } from '@cairn/contracts/operations'

/** Where the document is kept, beside what people read. */
export const openApiFile = new URL('../../../docs/openapi.json', import.meta.url)

/** Where `npm start` listens: a file has no server of its own, unlike the document that a server sends. */
const server = 'http://localhost:3000'

/** The file's whole content. */
export const openApiText = (): string => `${JSON.stringify(buildOpenApi(operationList, { server }), null, 2)}\n`
