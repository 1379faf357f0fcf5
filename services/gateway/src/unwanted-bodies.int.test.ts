import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { useGateway } from './files/gateway-scene.fixture.ts'

const gateway = useGateway()

const answerTo = async (head: string): Promise<string> => {
  const socket = connect(Number(new URL(gateway().url()).port), '127.0.0.1')
  socket.write(head)
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  return answer
}
const headOf = (path: string, key: string) =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\n${key}content-type: application/json\r\ncontent-length: 10000000\r\nexpect: 100-continue\r\n\r\n`

it('wants no byte of a body before the key is checked', async () => {
  const { namespace } = await gateway().open()
  for (const [path, key] of [
    [`/v1/namespaces/${namespace}/documents`, ''],
    [`/v1/namespaces/${namespace}/documents`, 'x-api-key: none\r\n'],
    ['/v1/search', ''],
    ['/nothing', ''],
  ] as const) {
    // No byte of the body is sent: a server that waits for one would never respond.
    const answer = await answerTo(headOf(path, key))
    expect(answer, path).toMatch(/^HTTP\/1.1 (401|404) /)
  }
})
