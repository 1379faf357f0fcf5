import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { operations } from '@cairn/contracts/api/operations'
import { eventually } from '@cairn/testing/eventually'
import { describe, expect, it } from 'vitest'
import { createNamespace, freshName, listed, useTarget } from '../story.ts'

const story = useTarget()
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const withoutId = ({ request_id: _, ...body }: Readonly<Record<string, unknown>>) => body

describe('Idempotency-Key', () => {
  it('gives the same request the same response, and marks the repeated one', async () => {
    const { api } = await story.member()
    const sent = { body: { namespace_name: freshName(), type: 'text' }, ...keyed(randomUUID()) }
    const first = await api.call(operations.createNamespace, sent, 201)
    const again = await api.call(operations.createNamespace, sent, 201)
    expect(again.body).toEqual(first.body)
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    // Without the idempotency key, the request is a new one.
    await api.call(operations.createNamespace, { body: sent.body }, 409)
    expect(await listed(api)).toHaveLength(1)
  })

  it('lets one of many equal requests run at a time', async () => {
    const { api } = await story.member()
    const params = { namespace_name: await createNamespace(api) }
    const sent = {
      params,
      body: { documents: [{ id: 'a', text: 'A document that is long enough.' }] },
      ...keyed(randomUUID()),
    }
    const answers = await Promise.all(Array.from({ length: 16 }, () => api.any(operations.uploadDocuments, sent)))
    const accepted = answers.filter(({ status }) => status === 202)
    const uploads = new Set(accepted.map(({ body }) => body['upload_id']))
    expect(uploads.size).toBe(1)
    for (const { status, body, headers } of answers.filter((one) => !accepted.includes(one))) {
      expect({ status, after: headers.get('retry-after') }).toEqual({ status: 409, after: '1' })
      expect(body['message']).toMatch(/in progress/)
    }
    expect((await api.call(operations.listUploads, { params }, 200)).body.uploads).toHaveLength(1)
  })

  it('refuses the key for another request, and is known to its account alone', async () => {
    const [{ api }, { api: strange }] = [await story.member(), await story.member()]
    const key = keyed(randomUUID())
    const [one, other] = [freshName(), freshName()]
    await api.call(operations.createNamespace, { body: { namespace_name: one, type: 'text' }, ...key }, 201)
    const reused = await api.any(operations.createNamespace, { body: { namespace_name: other, type: 'text' }, ...key })
    expect(reused).toMatchObject({ status: 422, body: { error: 'Idempotency key reused' } })
    await strange.call(operations.createNamespace, { body: { namespace_name: other, type: 'text' }, ...key }, 201)
    // Idempotency keys are separate for each operation and path.
    await api.call(operations.deleteNamespace, { params: { namespace_name: one }, ...key }, 202)
  })

  it('keeps what is wrong with a request, and nothing that may pass', async () => {
    const { api, accountId } = await story.member()
    const key = keyed(randomUUID())
    const namespace_name = freshName()
    const missing = { params: { namespace_name }, ...key }
    const first = await api.call(operations.deleteNamespace, missing, 404)
    await api.call(operations.createNamespace, { body: { namespace_name, type: 'text' } }, 201)
    const again = await api.call(operations.deleteNamespace, missing, 404)
    expect(withoutId(again.body)).toEqual(withoutId(first.body))
    const revoked = await story.key(accountId)
    await story.admin.call(operations.updateKey, { params: { key_id: revoked.keyId }, body: { state: 'revoked' } }, 200)
    const late = { body: { namespace_name: freshName(), type: 'text' }, ...keyed(randomUUID()) }
    await revoked.api.call(operations.createNamespace, late, 401)
    await api.call(operations.createNamespace, late, 201)
  })

  it('shows a new API key again, as it was', async () => {
    const { accountId } = await story.member()
    const sent = { params: { account_id: accountId }, body: { name: 'worker' }, ...keyed(randomUUID()) }
    const first = await story.admin.call(operations.createKey, sent, 201)
    const again = await story.admin.call(operations.createKey, sent, 201)
    expect(again.body).toEqual(first.body)
    const keys = await story.admin.call(operations.listKeys, { params: { account_id: accountId } }, 200)
    expect(keys.body.keys.filter(({ name }) => name === 'worker')).toHaveLength(1)
  })

  it('holds for files as well', async () => {
    const { apiKey, name } = await story.room()
    const key = randomUUID()
    const send = async (text: string, fileName = 'notes.txt') => {
      const form = new FormData()
      form.set('file', new Blob([text]), fileName)
      const headers = { 'x-api-key': apiKey, 'idempotency-key': key }
      const address = `${story.target.url}/v1/namespaces/${name}/upload-file`
      const response = await fetch(address, { method: 'POST', body: form, headers })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const first = await send('Cairns mark a path over the pass.')
    expect(first.status).toBe(200)
    expect(await send('Cairns mark a path over the pass.')).toEqual(first)
    expect((await send('Cairns mark a path over the pass, in fog.')).status).toBe(422)
    // A different text with the same length as the first.
    expect((await send('Cairns mark a road over the pass.')).status).toBe(422)
    expect((await send('Cairns mark a path over the pass.', 'other.txt')).status).toBe(422)
    expect(await send('Cairns mark a path over the pass.')).toEqual(first)
  })

  it('lets a form be sent again after one that broke off or was refused', async () => {
    const { apiKey, name } = await story.room()
    const { hostname, port } = new URL(story.target.url)
    const key = randomUUID()
    /** Resolves to the response; to an empty string if only the beginning of the form is sent. */
    const send = (fileName: string, isWhole = true) =>
      new Promise<string>((resolve) => {
        const form = [
          ...['--b', `content-disposition: form-data; name="file"; filename="${fileName}"`, 'content-type: text/plain'],
          ...['', 'Cairns mark a path over the pass.', '--b--', ''],
        ].join('\r\n')
        const head = [
          ...[`POST /v1/namespaces/${name}/upload-file HTTP/1.1`, `host: ${hostname}`, `x-api-key: ${apiKey}`],
          ...[`idempotency-key: ${key}`, 'content-type: multipart/form-data; boundary=b'],
          ...[`content-length: ${form.length}`, 'connection: close', '', ''],
        ].join('\r\n')
        const socket = connect(Number(port), hostname)
        let received = ''
        socket.setEncoding('utf8').on('data', (text: string) => (received += text))
        socket.once('close', () => resolve(received))
        socket.write(head)
        if (isWhole) socket.write(form)
        else socket.write(form.slice(0, -20), () => setTimeout(() => socket.destroy(), 100))
      })
    const untilFree = (fileName: string) =>
      eventually(
        () => send(fileName),
        (received) => !received.startsWith('HTTP/1.1 409'),
      )
    expect(await send('notes.txt', false)).toBe('')
    expect(await untilFree('notes.exe')).toMatch(/^HTTP\/1.1 400.*\.exe/s)
    expect(await untilFree('notes.txt')).toMatch(/^HTTP\/1.1 200/)
    expect(await untilFree('notes.txt')).toMatch(/^HTTP\/1.1 200.*idempotency-replayed: true/is)
  })

  it('takes 1 to 255 visible ASCII characters', async () => {
    const { api } = await story.member()
    const create = (key: string) =>
      api.any(operations.createNamespace, { body: { namespace_name: freshName(), type: 'text' }, ...keyed(key) })
    for (const key of ['!', '~', 'x'.repeat(255)]) expect((await create(key)).status).toBe(201)
    for (const key of ['', 'x'.repeat(256), 'a b', 'ä']) {
      const { status, body } = await create(key)
      expect({ status, body: withoutId(body) }).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/Idempotency-Key must be 1 to 255 visible ASCII characters/) },
      })
    }
  })
})
