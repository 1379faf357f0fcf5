import { createWriteStream, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { AppError } from '@cairn/contracts/errors'
import { announce, namespaceOn } from './announce.ts'
import type { Context, Input } from './command.ts'
import { confirm } from './confirm.ts'
import { printable } from './table.ts'

/** Follows a link. AppError `invalid` for a folder, or a device (/dev/null), which a rename would replace. */
const existing = (path: string) => {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (!stats.isFile()) throw new AppError('invalid', `${path} is not a file: give --output the path of a file`)
  return { path: realpathSync(path), mode: stats.mode & 0o777 }
}

/** Leaves the former content of `path`, or none, until all bytes have arrived. */
export const downloadFile = async (context: Context, input: Input, namespace: string, name: string, path: string) => {
  const { cairn, print, signal } = context
  const former = existing(path)
  if (former) await confirm(context, input, { what: `overwrite ${path}`, where: 'this machine' })
  announce(context, `${name} in ${namespaceOn(context, namespace)}`, path)
  const { body, headers } = await cairn().files.content(namespace, name, { signal })
  const target = former?.path ?? path
  const beside = `${target}.${process.pid}.part`
  try {
    const content = body ? Readable.fromWeb(body as ReadableStream) : Readable.from([])
    await pipeline(content, createWriteStream(beside, { flags: 'wx', ...(former && { mode: former.mode }) }), {
      signal,
    })
    renameSync(beside, target)
  } catch (error) {
    rmSync(beside, { force: true })
    // `fetch` throws this for a body that ends early.
    if (error instanceof TypeError)
      throw new AppError('unavailable', 'The download broke off; repeat the command', { cause: error })
    throw error
  }
  const { size } = statSync(target)
  print(`${printable(path)}: ${size} bytes\n`)
  return { data: { file_name: name, path, size, etag: headers.get('etag')?.replaceAll('"', '') ?? null } }
}
