import { setTimeout as delay } from 'node:timers/promises'
import type { Cairn, Reextraction } from '@cairn/client'
import type { Command, Context } from './command.ts'
import { record } from './table.ts'

const pollEveryMs = 1_000

const stateTable = ({ state, extraction_version, outdated_files, progress, ...times }: Reextraction): string =>
  record({
    state,
    'extraction version': extraction_version,
    'outdated files': outdated_files,
    extracted: progress && `${progress.extracted} of ${progress.total}`,
    failed: progress?.failed,
    'without bytes': progress?.without_bytes,
    started: times.started_at,
    ended: times.ended_at,
  })

/** Waits for the end, and shows the progress. */
const watch = async (
  { note, isTerminal, signal }: Context,
  cairn: Cairn,
  begun: Reextraction,
): Promise<Reextraction> => {
  let shown = ''
  try {
    for (let state = begun; ; state = await cairn.reextractions.get(begun.namespace_name, { signal })) {
      if (state.state === 'idle') return state
      const { total, extracted, failed, without_bytes: left } = state.progress ?? {}
      const line = `  ${(extracted ?? 0) + (failed ?? 0) + (left ?? 0)} of ${total ?? 0} files`
      if (line !== shown) note(isTerminal ? `\r\x1b[K${line}` : `${line}\n`)
      shown = line
      await delay(pollEveryMs, undefined, { signal })
    }
  } finally {
    if (isTerminal && shown !== '') note('\n')
  }
}

export const reextractCommand: Command = {
  name: 'reextract',
  summary: 'Extract the files of a namespace again that an earlier version has read',
  arguments: [{ name: 'namespace', description: 'The text namespace.' }],
  options: {
    status: { type: 'boolean', description: 'Begin nothing, and show how many files are outdated.' },
    detach: { type: 'boolean', description: 'Do not wait for the end.' },
  },
  notes: ['The command may be stopped while it waits: the server continues. It needs a key with the scope admin.'],
  run: async (context, input) => {
    const { signal, print } = context
    const [cairn, name] = [context.cairn(), input.argument('namespace')]
    if (input.flag('status')) {
      const data = await cairn.reextractions.get(name, { signal })
      print(stateTable(data))
      return { data }
    }
    const begun = await cairn.reextractions.start(name, { signal })
    if (begun.state === 'idle') {
      print('no file is outdated\n')
      return { data: begun }
    }
    const data = input.flag('detach') ? begun : await watch(context, cairn, begun)
    print(stateTable(data))
    const failed = data.progress?.failed ?? 0
    return {
      data,
      ...(failed > 0 && {
        failed: `${failed} ${failed === 1 ? 'file' : 'files'} could not be extracted again; the former content stays searchable`,
      }),
    }
  },
}
