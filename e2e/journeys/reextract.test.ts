import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { cairn } from '@cairn/cli/run.fixture'
import { eventually } from '@cairn/testing/eventually'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../client.ts'
import { describeOn } from '../describe-on.ts'
import { startServer } from '../server-process.ts'
import { idsFound, useTarget } from '../story.ts'

const story = useTarget()

describe('the re-extraction of a namespace', () => {
  it('begins nothing where this version has read all files', async () => {
    const { api, name } = await story.room()
    await api.sdk.files.upload(name, new Blob(['A cairn marks the path.']), { name: 'guide.md' })
    const status = await api.sdk.waitFor.file(name, 'guide.md')
    const { reextractions } = api.sdk
    const state = await reextractions.start(name)
    expect(state).toMatchObject({ state: 'idle', outdated_files: 0, progress: null })
    expect(status).toMatchObject({ outdated: false, extraction_version: state.extraction_version })
    expect(await reextractions.get(name)).toEqual(state)
  })
})

describeOn(['standalone'], 'the re-extraction of files that an earlier version has read', () => {
  it('goes on after a kill, and search finds their content all the time', async () => {
    const dataDir = temporaryDirectory()
    const [namespace, file] = ['papers', 'a folder/report.md']
    const start = async () => {
      const server = startServer({ dataDir })
      onTestFinished(async () => void (await server.end('SIGKILL')))
      const url = await server.listening
      const apiKey = readFileSync(join(dataDir, 'api-key'), 'utf8').trim()
      return { server, url, apiKey, api: createClient(url, { 'x-api-key': apiKey }) }
    }
    const filled = await start()
    await filled.api.sdk.namespaces.create(namespace)
    await filled.api.sdk.files.upload(namespace, new Blob(['Stones that mark the way over the pass.']), { name: file })
    await filled.api.sdk.waitFor.file(namespace, file)
    expect(await filled.server.end('SIGTERM')).toBe(0)
    const database = new DatabaseSync(join(dataDir, 'metadata.db'))
    database.exec("UPDATE files SET document = json_set(document, '$.live.extraction', 0)")
    database.close()
    const found = (api: ReturnType<typeof createClient>) => idsFound(api, [namespace], 'stones that mark the way')

    const first = await start()
    const { files, reextractions } = first.api.sdk
    const before = await files.status(namespace, file)
    expect(before).toMatchObject({ state: 'completed', outdated: true, extraction_version: 0 })
    const ids = await found(first.api)
    expect(ids).toContain(`${before.chunk_id_prefix}0`)
    const shown = await cairn({ CAIRN_URL: first.url, CAIRN_API_KEY: first.apiKey }, 'status', namespace, file)
    expect(shown.out).toMatch(/^outdated +read by an earlier version/m)
    expect(await reextractions.get(namespace)).toMatchObject({ state: 'idle', outdated_files: 1, progress: null })
    expect(await reextractions.start(namespace)).toMatchObject({ state: 'running', progress: { total: 1 } })
    await first.server.end('SIGKILL')

    const { url, api, server } = await start()
    expect((await found(api)).toSorted()).toEqual(ids.toSorted())
    // Another request returns the running re-extraction, or finds that it has finished.
    const env = { CAIRN_URL: url, CAIRN_API_KEY: first.apiKey }
    const byCommand = await cairn(env, 'reextract', namespace, '--json')
    expect({ code: byCommand.code, ...JSON.parse(byCommand.out) }).toMatchObject({ code: 0, state: 'idle' })
    expect(await api.sdk.reextractions.get(namespace)).toMatchObject({
      state: 'idle',
      outdated_files: 0,
      progress: { total: 1, extracted: 1, failed: 0, without_bytes: 0 },
    })
    const after = await api.sdk.files.status(namespace, file)
    expect(after).toMatchObject({ state: 'completed', outdated: false, chunk_id_prefix: before.chunk_id_prefix })
    expect(await found(api)).toContain(`${before.chunk_id_prefix}0`)

    // Passages that this version has indexed are not embedded again.
    await api.sdk.files.retry(namespace, file)
    const retried = await eventually(
      () => api.sdk.files.status(namespace, file),
      ({ state }) => state === 'completed',
      { withinMs: 30_000, everyMs: 100 },
    )
    expect(retried.passages).toMatchObject({ embedded: 0 })
    expect(await server.end('SIGTERM')).toBe(0)
  }, 120_000)
})
