// Express without any other code: parses the body of a POST and sends a fixed response.
import type { AddressInfo } from 'node:net'
import express from 'express'
import { answerQuestions, optionsOf } from '../harness/subject.ts'

export type BareOptions = {
  readonly method: 'get' | 'post'
  readonly path: string
  readonly status: number
  readonly answer: object
}

const { method, path, status, answer } = optionsOf<BareOptions>()
const app = express()
if (method === 'post') app.use(express.json({ limit: '10mb' }))
app[method](path, (_request, response) => {
  response.status(status).json(answer)
})
const server = app.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))

answerQuestions({ port: () => (server.address() as AddressInfo).port }, async () => {
  server.close()
  server.closeAllConnections()
})
