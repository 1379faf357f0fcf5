import type { StartedTestContainer } from 'testcontainers'
import { type EngineName, engineTable } from './engine-table.ts'
import type { Engine } from './engines.ts'
import { settingsOf } from './find-engines.ts'

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Returns functions that start engines in containers, from the vendors' images, and that stop and remove all started
 * containers with their data.
 */
export const engineContainers = () => {
  const running: StartedTestContainer[] = []

  const start = async (names: readonly EngineName[]): Promise<ReadonlyMap<EngineName, Engine>> => {
    // The library is loaded on first use: loading takes a second, which runs with available engines should not spend.
    const load = async () => {
      const testcontainers = await import('testcontainers')
      await testcontainers.getContainerRuntimeClient()
      return testcontainers
    }
    const testcontainers = await load().catch(messageOf)
    if (typeof testcontainers === 'string')
      return new Map(names.map((name) => [name, { reason: `containers can't be started (${testcontainers})` }]))
    const startOne = async (name: EngineName): Promise<readonly [EngineName, Engine]> => {
      try {
        const { start } = engineTable[name]
        if (!start) return [name, { reason: 'there is no container for it' }]
        const { container, settings } = await start(testcontainers)
        running.push(container)
        return [name, settingsOf(name, (setting) => settings[setting])]
      } catch (error) {
        return [name, { reason: `its container can't be started (${messageOf(error)})` }]
      }
    }
    return new Map(await Promise.all(names.map(startOne)))
  }

  const stop = async (): Promise<void> => {
    await Promise.all(running.splice(0).map((container) => container.stop()))
  }

  return { start, stop }
}
