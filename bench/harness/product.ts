import { join } from 'node:path'
import type { ProductAddress, ProductOptions } from '../subjects/product.ts'
import { sendOnce } from './http-load.ts'
import type { Context } from './row.ts'
import { type Subject, startSubject } from './subject.ts'
import { jsonRequest, type UploadTarget } from './upload-request.ts'

export type Product = UploadTarget & {
  readonly port: number
  readonly subject: Subject
}

/** Of `npm start`, and what every process of ours sets for itself. */
const flagsOfStart = ['--max-semi-space-size=8', '--heap-growing-percent=60']
const script = join(import.meta.dirname, '../subjects/product.ts')

/** The product in a process of its own, with one empty text namespace. */
export const startProduct = async (context: Context, options: Omit<ProductOptions, 'directory'>): Promise<Product> => {
  const asStarted = { ...context, nodeFlags: [...flagsOfStart, ...context.nodeFlags] }
  const subject = await startSubject(script, asStarted, { ...options, directory: context.directory } satisfies ProductOptions)
  const { port, apiKey } = await subject.ask<ProductAddress>('address')
  const namespace = 'bench'
  const { status, body } = await sendOnce(port, jsonRequest('POST', '/v1/namespaces', apiKey, { namespace_name: namespace, type: 'text' }))
  if (status !== 201) throw new Error(`the namespace was not made: ${status} ${body}`)
  return { port, apiKey, namespace, subject }
}
