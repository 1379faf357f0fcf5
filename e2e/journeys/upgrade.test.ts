import { join } from 'node:path'
import { sqliteStore } from '@cairn/adapters/store/sqlite'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it, onTestFinished } from 'vitest'

import { setUpCluster } from '../../scripts/cluster/cluster.ts'
import { serviceProcess } from '../../scripts/cluster/service-process.ts'
import { freePorts } from '../chaos/free-ports.ts'
import { clusterSettings, startClusterTarget } from '../cluster-target.ts'
import { describeOn } from '../describe-on.ts'
import { startServer } from '../server-process.ts'
import { startStandalone } from '../target.ts'
import { hashesOf, toBeforeForm1, toVersion01 } from '../upgrade/before-form-1.ts'
import { clusterFromText, dropDatabase, filesAt, placesOf } from '../upgrade/cluster-text.ts'
import { type Content, fill, leaveWork } from '../upgrade/content.ts'
import { expectContent, expectFiles } from '../upgrade/judge.ts'
import { readCluster, restoreOneProcess } from '../upgrade/restore.ts'

/** Creates a data directory that was written by the commit before form 1; returns what its clients read. */
const writtenBefore = async (dataDir: string): Promise<Content> => {
  const target = await startStandalone({ env: { CAIRN_DATA_DIR: dataDir } })
  const content = await fill(target)
  expect(await target.end()).toBe(0)
  const store = sqliteStore({ file: join(dataDir, 'metadata.db') })
  await leaveWork(store)
  await store.close()
  toBeforeForm1(dataDir)
  return content
}

describeOn(['standalone'], 'data of before form 1, in one process', () => {
  it('is all there and form 1, and a second start migrates nothing', async () => {
    const dataDir = temporaryDirectory()
    const content = await writtenBefore(dataDir)
    for (const turn of ['first', 'second']) {
      const server = startServer({ dataDir })
      onTestFinished(async () => void (await server.end('SIGKILL')))
      await expectContent(await server.listening, content)
      if (turn === 'second') await expectFiles(await server.listening, content)
      expect(await server.end('SIGTERM')).toBe(0)
      expect(server.output().match(/schema step.*/g)).toEqual(
        turn === 'first' ? [expect.stringMatching(/form 1$/)] : null,
      )
    }
  })

  it('is refused, untouched, while a namespace has points of 0.1', async () => {
    const dataDir = temporaryDirectory()
    const content = await writtenBefore(dataDir)
    toVersion01(dataDir, 'notes')
    const before = await hashesOf(dataDir)
    const server = startServer({ dataDir })
    expect(await server.ended).toBe(1)
    // Two accounts have a namespace of this name.
    expect(server.output()).toMatch(/namespaces with points of 0\.1: 2;.*5e09d85d/s)
    expect(await hashesOf(dataDir)).toEqual(before)
    expect(content.owner).toHaveLength(3)
  })
})

describeOn(['standalone'], 'data of 1.0.0-rc.1 in one process', () => {
  it('is all there', async () => {
    const dataDir = temporaryDirectory()
    const content = restoreOneProcess('1.0.0-rc.1', dataDir)
    const server = startServer({ dataDir })
    onTestFinished(async () => void (await server.end('SIGKILL')))
    await expectContent(await server.listening, content)
    await expectFiles(await server.listening, content)
    expect(await server.end('SIGTERM')).toBe(0)
  })
})

describeOn(['cluster'], 'data of 1.0.0-rc.1 in a cluster', () => {
  it('is all there, and a second setup migrates nothing', async () => {
    const { stores, content } = readCluster('1.0.0-rc.1')
    const settings = await clusterSettings({ CAIRN_SECRET: content.secret, CAIRN_API_KEY: content.keys.owner })
    const files = filesAt(settings)
    onTestFinished(async () => {
      await files.close()
      await dropDatabase(placesOf(settings))
    })
    await files.ensure()
    await clusterFromText(placesOf(settings), files, stores)
    const target = await startClusterTarget({ env: settings })
    onTestFinished(() => target.stop())
    await expectContent(target.url, content)
    await expectFiles(target.url, content)
    const said = await setUpCluster(settings)
    expect(said).toContain('up to date')
    expect(said).not.toContain('schema step')
  })

  it('is waited for: a service that is started before setup says so at /readyz, and goes on by itself', async () => {
    const settings = await clusterSettings()
    onTestFinished(() => dropDatabase(placesOf(settings)))
    const [port = 0] = await freePorts(1)
    const { PATH, HOME } = process.env
    const service = serviceProcess({
      name: 'namespace',
      service: 'namespace',
      main: join(import.meta.dirname, '../../services/namespace/src/main.ts'),
      env: { PATH, HOME, ...settings, PORT: String(port) },
      onLine: () => undefined,
    })
    onTestFinished(async () => void (await service.stop()))
    service.start()
    const ready = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(
        () => undefined,
      )
      return [answer?.status, await answer?.text()]
    }
    const reason = /The schema of qdrant is at step 0 and this version needs \d+: run `npm run setup` of this version\./
    await expect.poll(ready, { timeout: 30_000 }).toEqual([503, expect.stringMatching(reason)])
    await setUpCluster(settings)
    await expect.poll(ready, { timeout: 30_000 }).toEqual([200, expect.anything()])
    expect(service.starts()).toBe(1)
  })
})
