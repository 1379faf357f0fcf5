// Express with nothing behind it: reads the body, sends a given answer.
import type { AddressInfo } from 'node:net'
import express from 'express'
import { answerQuestions, optionsOf } from '../harness/subject.ts'

export type BareOptions = { readonly path: string; readonly status: number; readonly answer: object }

const { path, status, answer } = optionsOf<BareOptions>()
const app = express()
app.use(express.json({ limit: '10mb' }))
app.post(path, (_request, response) => {
  response.status(status).json(answer)
})
const server = app.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))

answerQuestions({ port: () => (server.address() as AddressInfo).port }, async () => {
  server.close()
  server.closeAllConnections()
})
