import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'

import { setUpCluster } from '../../scripts/cluster/cluster.ts'
import { clusterSettings, startClusterTarget } from '../cluster-target.ts'
import { startServer } from '../server-process.ts'
import { isCluster, isStandalone } from '../target.ts'
import { clusterFromText, dropDatabase, filesAt, placesOf } from '../upgrade/cluster-text.ts'
import { expectContent } from '../upgrade/judge.ts'
import { readCluster, restoreOneProcess } from '../upgrade/restore.ts'

describe.runIf(isStandalone())('data of 0.1.0 in one process', () => {
  it('is all there, and a second start migrates nothing', async () => {
    const dataDir = temporaryDirectory()
    const content = restoreOneProcess('0.1.0', dataDir)
    for (const turn of ['first', 'second']) {
      const server = startServer({ dataDir })
      onTestFinished(async () => void (await server.end('SIGKILL')))
      await expectContent(await server.listening, content)
      expect(await server.end('SIGTERM')).toBe(0)
      if (turn === 'second') expect(server.output()).not.toContain('schema step')
    }
  })
})

describe.runIf(isCluster())('data of 0.1.0 in a cluster', () => {
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
    const said = await setUpCluster(settings)
    expect(said).toContain('up to date')
    expect(said).not.toContain('schema step')
  })
})
