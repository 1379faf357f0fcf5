// node e2e/real-files.ts [FOLDER…]: sends files found on this machine, and the files of the given folders, through a
// running service.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { operations } from '@cairn/contracts/api/operations'
import { findRealFiles, type RealFile, realFileRoots } from '@cairn/testing/material/find-real-files'
import { createClient } from './client.ts'
import { bringer } from './malformed/bring.ts'
import { startStandalone } from './target.ts'

const perType = 12
const maxBytes = 10_000_000
const wordsAsked = 6

const say = (line: string): void => console.log(line)

/** Returns some consecutive words from the middle of a text; a search for them should find the file. */
const phraseOf = (text: string): string => {
  const words = text.match(/[\p{L}\p{N}]{2,}/gu) ?? []
  const from = Math.max(0, Math.floor((words.length - wordsAsked) / 2))
  return words.slice(from, from + wordsAsked).join(' ')
}

const run = async (folders: readonly string[]): Promise<void> => {
  const files = await findRealFiles({ roots: [...folders, ...(await realFileRoots())], perType, maxBytes })
  const target = await startStandalone()
  const api = createClient(target.url, { 'x-api-key': target.apiKey })
  const namespace = 'real-files'
  let unexplained = 0
  const bring = async ({ path, sizeBytes, type }: RealFile, number: number): Promise<void> => {
    const name = `${number}/${basename(path).normalize('NFC')}`
    const { state, reason, texts, seconds, notes } = await into.bring(name, readFileSync(path), 'address')
    const query = phraseOf(texts[Math.floor(texts.length / 2)] ?? '')
    const { results } = query
      ? (await api.call(operations.search, { body: { query, namespaces: [namespace], top_k: 10 } }, 200)).body
      : { results: [] }
    const place = results.findIndex(({ metadata }) => metadata['source'] === name) + 1
    if (state === 'failed' ? reason === 'internal' || reason === 'parser_crashed' : texts.length === 0) unexplained += 1
    const noted = notes.length === 0 ? '' : ` (${[...new Set(notes.map(({ code }) => code))].join(', ')})`
    const found = state === 'failed' ? '' : place > 0 ? `, found at ${place}` : ', not among the first 10'
    const outcome = state === 'failed' ? reason : `${texts.length}${texts.length === 300 ? '+' : ''} chunks`
    say(
      `${type.padEnd(5)} ${basename(path)} (${Math.ceil(sizeBytes / 1_000)} kB): ${outcome}${noted}${found}, ${seconds.toFixed(1)} s`,
    )
  }
  const into = bringer(api, namespace)
  try {
    await api.call(operations.createNamespace, { body: { namespace_name: namespace, type: 'text' } }, 201)
    for (const [number, file] of files.entries()) await bring(file, number)
  } finally {
    await target.stop()
  }
  say(`${files.length} files, ${unexplained} without an outcome that says enough`)
  if (unexplained > 0) process.exitCode = 1
}

await run(process.argv.slice(2))
