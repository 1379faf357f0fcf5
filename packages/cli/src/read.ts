import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '@cairn/contracts/errors'
import { type FileType, fileTypeOf } from '@cairn/contracts/files/file-rules'
import type { Block, ExtractEvent, ExtractOptions, FileProperties } from '@cairn/extract/block'
import type { Command, Input, ReadFile } from './command.ts'
import { printable } from './table.ts'
import { findFiles, type LocalFile } from './transfer/find-files.ts'

type Content = {
  readonly file: string
  properties: FileProperties
  readonly blocks: Omit<Block, 'seq' | 'places'>[]
  readonly notes: Omit<Extract<ExtractEvent, { event: 'note' }>, 'event'>[]
}

const read = async (
  readFile: ReadFile,
  { path, name }: LocalFile,
  options: ExtractOptions,
  signal: AbortSignal,
): Promise<Content> => {
  const content: Content = { file: name, properties: {}, blocks: [], notes: [] }
  // `findFiles` finds files of supported types only.
  const type = fileTypeOf(name) as FileType
  for await (const message of readFile({ path, type, options }, { signal })) {
    if (message.event === 'properties') content.properties = message.properties
    if (message.event === 'block') {
      const { seq: _seq, places: _places, ...block } = message.block
      content.blocks.push(block)
    }
    if (message.event === 'note') {
      const { event: _event, ...note } = message
      content.notes.push(note)
    }
  }
  return content
}

/** Writes what stands before all rows of a table once, before the first. */
const asMarkdown = ({ blocks }: Content): string => {
  const parts = blocks.flatMap(({ kind, level = 1, text, header }, index) => {
    if (kind === 'heading') return [`${'#'.repeat(level)} ${text.replaceAll('\n', ' ')}`]
    return header !== undefined && header !== blocks[index - 1]?.header ? [header, text] : [text]
  })
  return parts.map((part) => `${part}\n`).join('\n')
}

const formats = {
  markdown: { extension: 'md', write: asMarkdown },
  json: { extension: 'json', write: (content: Content) => `${JSON.stringify(content, null, 2)}\n` },
} as const

const formatOf = (input: Input) => {
  const name = input.text('format') ?? 'markdown'
  if (name !== 'markdown' && name !== 'json') throw new AppError('invalid', '--format must be markdown or json')
  return formats[name]
}

export const readCommand: Command = {
  name: 'read',
  summary: 'Print the text of files as Markdown or JSON, without a server',
  arguments: [{ name: 'file', description: 'Files and folders.', rest: true }],
  options: {
    format: { type: 'string', value: 'format', description: 'markdown (default), or json with properties and places.' },
    out: { type: 'string', value: 'folder', description: 'Write a file for each into this folder.' },
    language: { type: 'string', value: 'code', multiple: true, description: 'A language for OCR, such as deu.' },
    encoding: { type: 'string', value: 'name', description: 'The encoding of text files. Default: detected.' },
  },
  examples: ['cairn read report.pdf', 'cairn read contracts --out text', 'cairn read budget.xlsx --format json'],
  notes: ['Each file is read as a server reads it: in a process of its own, with limits, and without network.'],
  run: async (context, input) => {
    const [format, out, encoding] = [formatOf(input), input.text('out'), input.text('encoding')]
    const languages = input.texts('language')
    const options = { ...(languages.length > 0 && { languages }), ...(encoding !== undefined && { encoding }) }
    const files = await findFiles(input.rest('file'))
    if (files.length > 1 && out === undefined) throw new AppError('invalid', 'More than one file needs --out')
    const readFile = await context.reader()
    const data: Content[] = []
    const failed: string[] = []
    for (const file of files) {
      const content = await read(readFile, file, options, context.signal).catch((error: unknown) => {
        if (context.signal.aborted) throw error
        failed.push(file.name)
        context.note(`${printable(file.name)}: ${printable(error instanceof Error ? error.message : String(error))}\n`)
      })
      if (!content) continue
      for (const { message } of content.notes) context.note(`${printable(file.name)}: ${printable(message)}\n`)
      if (out === undefined) context.print(format.write(content))
      else {
        const target = join(out, `${file.name}.${format.extension}`)
        mkdirSync(dirname(target), { recursive: true })
        writeFileSync(target, format.write(content))
        context.print(`${target}\n`)
      }
      data.push(content)
    }
    return { data, ...(failed.length > 0 && { failed: `${failed.length} of ${files.length} files can't be read` }) }
  },
}
