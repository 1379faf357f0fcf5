import * as z from 'zod'
import { text, timestamp } from './common.ts'
import { keyFailures, operation } from './operation.ts'

// Left out of the published documents: only the console, in a browser, needs them.

export const consoleOperations = {
  createConsoleCode: operation({
    operationId: 'createConsoleCode',
    method: 'post',
    path: '/v1/console-codes',
    tag: 'Console',
    auth: 'key',
    scope: 'read',
    errors: 'data',
    summary: 'Create a code that signs in to the console',
    description:
      'The console exchanges it for the API key of this request, once and within ten minutes. It is part of the fragment of the address, which browsers do not send.',
    request: {},
    responses: {
      201: {
        description: 'The code.',
        body: z
          .object({
            code: text,
            path: text.describe('The path of the console with the code, below the address of the server.'),
            expires_at: timestamp,
          })
          .meta({ id: 'ConsoleCode' }),
      },
    },
    failures: keyFailures({ 404: 'The server has no console (`CAIRN_CONSOLE=off`).' }),
  }),
}

const common = { tag: 'Console', auth: 'none', errors: 'data', failures: {} } as const

export const getConsole = operation({
  ...common,
  operationId: 'getConsole',
  method: 'get',
  path: '/',
  summary: 'Open the console',
  request: {},
  responses: { 200: { description: 'A page of HTML, for requests that accept HTML.', text: 'text/html' } },
})

export const getConsoleAsset = operation({
  ...common,
  operationId: 'getConsoleAsset',
  method: 'get',
  path: '/console/{+asset}',
  summary: 'A script, style sheet or picture of the console',
  request: { params: z.object({ asset: text }) },
  responses: { 200: { description: 'The file, compressed with gzip.', text: '*/*' } },
})

export const consoleSessionBody = z.object({
  code: z.string('must be a string').min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
})

export const createConsoleSession = operation({
  ...common,
  operationId: 'createConsoleSession',
  method: 'post',
  path: '/console/session',
  summary: 'Exchange the code of the address for its API key',
  request: { body: { schema: consoleSessionBody } },
  responses: { 200: { description: 'The key.', body: z.object({ api_key: text }) } },
})
