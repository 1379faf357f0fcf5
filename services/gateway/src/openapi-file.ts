import { buildOpenApi } from '@cairn/contracts/openapi'
import { operationList } from '@cairn/contracts/operations'

/** Where the document is kept, beside what people read. */
export const openApiFile = new URL('../../../docs/openapi.json', import.meta.url)

/** The file's whole content. */
export const openApiText = (): string => `${JSON.stringify(buildOpenApi(operationList), null, 2)}\n`
