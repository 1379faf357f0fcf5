import type { Reextraction } from '@cairn/client'
import type { Command } from './command.ts'
import { detailsTable } from './table.ts'
import { watchState } from './watch-state.ts'

const stateTable = ({ state, extraction_version, outdated_files, progress, ...times }: Reextraction): string =>
  detailsTable({
    state,
    'extraction version': extraction_version,
    'outdated files': outdated_files,
    extracted: progress && `${progress.extracted} of ${progress.total}`,
    failed: progress?.failed,
    'without bytes': progress?.without_bytes,
    started: times.started_at,
    ended: times.ended_at,
  })

const progressLine = ({ progress }: Reextraction): string => {
  const { total, extracted, failed, without_bytes: left } = progress ?? {}
  return `  ${(extracted ?? 0) + (failed ?? 0) + (left ?? 0)} of ${total ?? 0} files`
}

export const reextractCommand: Command = {
  name: 'reextract',
  summary: 'Extract again the files that an earlier version has read',
  arguments: [{ name: 'namespace', description: 'The text namespace.' }],
  options: {
    status: { type: 'boolean', description: 'Only show how many files are outdated.' },
    detach: { type: 'boolean', description: 'Return at once, without waiting.' },
  },
  notes: [
    'If the command is stopped while it waits, the server continues. It needs a key with the scope admin, and read to wait.',
  ],
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
    const next = (signal: AbortSignal) => cairn.reextractions.get(name, { signal })
    const watched = { isEnd: ({ state }: Reextraction) => state === 'idle', line: progressLine, next }
    const data = input.flag('detach') ? begun : await watchState(context, begun, watched)
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
