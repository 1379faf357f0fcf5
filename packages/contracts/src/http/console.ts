import * as z from 'zod'
import { text } from './common.ts'
import { operation } from './operation.ts'

// What serves the console, the page in a browser. Not part of the API's documents: no program needs it.

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
  request: {},
  responses: { 200: { description: 'The file, compressed with gzip.' } },
})

export const consoleSessionBody = z.object({
  code: z.string('must be a string').min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
})

export const createConsoleSession = operation({
  ...common,
  operationId: 'createConsoleSession',
  method: 'post',
  path: '/console/session',
  summary: 'Exchange the code of the address for the API key of the first account',
  request: { body: { schema: consoleSessionBody } },
  responses: { 200: { description: 'The key.', body: z.object({ api_key: text }) } },
})
