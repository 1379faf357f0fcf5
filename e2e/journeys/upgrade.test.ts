import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it, onTestFinished } from 'vitest'

import { setUpCluster } from '../../scripts/cluster/cluster.ts'
import { serviceProcess } from '../../scripts/cluster/service-process.ts'
import { freePorts } from '../chaos/free-ports.ts'
import { clusterSettings, startClusterTarget } from '../cluster-target.ts'
import { describeOn } from '../describe-on.ts'
import { startServer } from '../server-process.ts'
import { clusterFromText, dropDatabase, filesAt, placesOf } from '../upgrade/cluster-text.ts'
import { expectContent, expectFiles } from '../upgrade/judge.ts'
import { readCluster, restoreOneProcess } from '../upgrade/restore.ts'

describeOn(['standalone'], 'data of 0.1.0 in one process', () => {
  it('is all there, and a second start migrates nothing', async () => {
    const dataDir = temporaryDirectory()
    const content = restoreOneProcess('0.1.0', dataDir)
    for (const turn of ['first', 'second']) {
      const server = startServer({ dataDir })
      onTestFinished(async () => void (await server.end('SIGKILL')))
      await expectContent(await server.listening, content)
      if (turn === 'second') await expectFiles(await server.listening, content)
      expect(await server.end('SIGTERM')).toBe(0)
      if (turn === 'second') expect(server.output()).not.toContain('schema step')
    }
  })
})

describeOn(['cluster'], 'data of 0.1.0 in a cluster', () => {
  it('is all there, and a second setup migrates nothing', async () => {
    const { stores, content } = readCluster('0.1.0')
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
