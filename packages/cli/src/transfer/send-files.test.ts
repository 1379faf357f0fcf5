import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Cairn, CairnError } from '@cairn/client'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import { compareFiles, listFiles } from './compare-files.ts'
import { findFiles } from './find-files.ts'
import { fileMemory } from './memory.ts'
import { sendFiles } from './send-files.ts'

type Stored = { readonly size: number; readonly last_modified: string }

/** A server with one namespace. `onUpload` runs before a file is stored. */
const scene = (onUpload: (name: string) => void = () => undefined) => {
  const folder = temporaryDirectory()
  const [path, memoryFile] = [join(folder, 'a.md'), join(folder, 'memory/m.json')]
  writeFileSync(path, 'first')
  const stored = new Map<string, Stored>()
  let time = 0
  const store = (name: string, size: number) => {
    time += 1
    stored.set(name, { size, last_modified: `time-${time}` })
  }
  const upload = async (_namespace: string, content: string, { name }: { name: string }) => {
    const [file] = await findFiles([content])
    onUpload(name)
    store(name, file?.size ?? 0)
  }
  const list = async () => ({ files: [...stored].map(([file_name, each]) => ({ file_name, ...each })) })
  const cairn = { files: { upload, list } } as unknown as Cairn
  const { signal } = new AbortController()
  const compare = async () => {
    const [memory, listing] = [fileMemory(memoryFile), await listFiles(cairn, 'n', signal)]
    return { memory, ...(await compareFiles(await findFiles([path]), { listing, memory, signal })) }
  }
  const send = async () => {
    const { memory, added, changed, others } = await compare()
    const options = { cairn, namespace: 'n', memory, signal, onProgress: () => undefined }
    return sendFiles([...added, ...changed, ...others], options)
  }
  const known = () => fileMemory(memoryFile).get('a.md')
  return { path, stored, store, compare, send, known, write: (text: string) => writeFileSync(path, text) }
}

describe('sent files', () => {
  it('are known once the server lists them', async () => {
    const { send, compare, known } = scene()
    expect(await send()).toEqual({ sent: ['a.md'], failed: [] })
    expect(known()).toMatchObject({ size: 5, lastModified: 'time-1' })
    expect(known()?.pending).toBeUndefined()
    expect(await compare()).toMatchObject({ unchanged: ['a.md'], changed: [], others: [] })
  })

  it('are recorded before they are sent, so that a killed command does not lose them', async () => {
    const seen: unknown[] = []
    const scenario = scene(() => seen.push(scenario.known()))
    await scenario.send()
    scenario.write('second text')
    await scenario.send()
    expect(seen).toMatchObject([
      { lastModified: null, pending: { replaces: null, sizes: [5], accepted: false } },
      { lastModified: null, pending: { replaces: 'time-1', sizes: [11], accepted: false } },
    ])
  })

  it.each([
    ['was not sent', undefined],
    ['was sent', 11],
  ])('are sent again after a kill, when the file %s', async (_, size) => {
    let isKilled = false
    const scenario = scene(() => {
      if (isKilled) throw new CairnError('network', 'killed')
    })
    await scenario.send()
    scenario.write('second text')
    isKilled = true
    await expect(scenario.send()).rejects.toThrow('killed')
    if (size !== undefined) scenario.store('a.md', size)
    isKilled = false
    scenario.write('the third text')
    expect(await scenario.compare()).toMatchObject({ changed: [{ file: { name: 'a.md' } }], others: [] })
    expect(await scenario.send()).toMatchObject({ sent: ['a.md'] })
    expect(scenario.stored.get('a.md')?.size).toBe(14)
    expect(await scenario.compare()).toMatchObject({ unchanged: ['a.md'] })
  })

  it('are recognized as others when somebody has replaced them', async () => {
    const { send, store, compare } = scene()
    await send()
    store('a.md', 5)
    expect(await compare()).toMatchObject({ unchanged: [], changed: [], others: [{ file: { name: 'a.md' } }] })
  })

  it('are sent again if they changed while they were sent', async () => {
    let isChanging = true
    const scenario = scene(() => {
      if (isChanging) scenario.write('other')
    })
    const message = 'changed while it was sent: repeat the command'
    expect(await scenario.send()).toEqual({ sent: [], failed: [{ name: 'a.md', message }] })
    scenario.write('first')
    isChanging = false
    expect(await scenario.send()).toMatchObject({ sent: ['a.md'] })
  })

  it('are forgotten again if the server refuses them', async () => {
    let isRefused = true
    const scenario = scene(() => {
      if (isRefused) throw new CairnError('too_large', 'Too large')
    })
    expect(await scenario.send()).toEqual({ sent: [], failed: [{ name: 'a.md', message: 'Too large' }] })
    expect(scenario.known()).toBeUndefined()
    isRefused = false
    await scenario.send()
    const before = scenario.known()
    scenario.write('second text')
    isRefused = true
    await scenario.send()
    expect(scenario.known()).toEqual(before)
  })

  it('are compared by content if they changed at the time of the last run', async () => {
    const { send, write, compare, known } = scene()
    await send()
    expect(known()?.changedMs).toBeUndefined()
    write('fir5t')
    expect(await compare()).toMatchObject({ changed: [{ file: { name: 'a.md' } }] })
  })
})
