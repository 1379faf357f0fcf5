import { operationList, operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import { index, search, useTarget } from '../story.ts'

const story = useTarget()

describe('the service', () => {
  it('says that it is alive and ready, and by what', async () => {
    const ready = await story.visitor.call(operations.getReadiness, {}, 200)
    expect(ready.body.status).toBe('ready')
    expect(Object.keys(ready.body.dependencies)).toEqual(
      expect.arrayContaining(['metadata', 'vector-index', 'message-bus', 'embedder']),
    )
    expect((await story.visitor.call(operations.getLiveness, {}, 200)).body.status).toBe('ok')
  })

  it('serves its own description and a page to read, without a key', async () => {
    const { body } = await story.visitor.call(operations.getOpenApi, {}, 200)
    const { paths } = body as unknown as { paths: Record<string, Record<string, unknown>> }
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(served.toSorted()).toEqual(operationList.map(({ method, path }) => `${method} ${path}`).toSorted())
    const page = await story.visitor.call(operations.getDocs, {}, 200)
    expect(page.body).toContain('/openapi.json')
  })

  it('counts what it does: requests by route, stages, queues', async () => {
    const { api, name } = await story.room()
    await index(api, name, [{ id: 'a', text: 'A document that is long enough.' }])
    await search(api, [name], 'document')
    // Each process has its own metrics, so the metrics of all processes are joined.
    const bodies = await Promise.all(story.target.metricsUrls.map(async (url) => (await fetch(url)).text()))
    const body = bodies.join('\n')
    expect(body).toMatch(/cairn_http_requests_total\{route="\/v1\/search",method="POST",status="200"\} [1-9]/)
    expect(body).toMatch(
      /cairn_http_request_duration_seconds_count\{route="\/v1\/namespaces\/\{namespace_name\}\/documents",method="POST"\} [1-9]/,
    )
    expect(body).toMatch(/cairn_stage_seconds_count\{service="ingestion",stage="\w+"\} [1-9]/)
    expect(body).toMatch(/cairn_due_jobs_oldest_seconds\{service="ingestion"\} \d/)
    expect(body).not.toContain(name)
  })

  it('answers what it does not know with 404 and 405 in JSON', async () => {
    const ask = async (method: string, path: string) => {
      const response = await fetch(story.target.url + path, { method })
      return { status: response.status, allow: response.headers.get('allow'), body: (await response.json()) as unknown }
    }
    expect(await ask('GET', '/v1/nothing')).toMatchObject({ status: 404, body: { status: 'failure' } })
    expect(await ask('GET', '/')).toMatchObject({ status: 404, body: { status: 'failure' } })
    expect(await ask('PUT', '/v1/namespaces')).toMatchObject({
      status: 405,
      allow: 'POST, GET',
      body: { status: 'failure' },
    })
    expect(await ask('GET', '/v1/search')).toMatchObject({ status: 405, allow: 'POST' })
  })

  it("names every call, by the caller's own name when it is a plain one", async () => {
    const { api } = await story.member()
    const named = await api.call(operations.listNamespaces, { headers: { 'x-request-id': 'my-call.17' } }, 200)
    expect(named.headers.get('x-request-id')).toBe('my-call.17')
    const odd = await api.call(operations.listNamespaces, { headers: { 'x-request-id': 'x'.repeat(65) } }, 200)
    expect(odd.headers.get('x-request-id')).toMatch(/^req_/)
  })
})
