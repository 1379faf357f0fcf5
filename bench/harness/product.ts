import type { ProductAddress, ProductOptions } from '../subjects/product.ts'
import { createNamespace } from './namespaces.ts'
import type { Context } from './row.ts'
import { type Subject, startSubject } from './subject.ts'
import type { UploadTarget } from './upload-request.ts'

export type Product = UploadTarget & {
  readonly port: number
  readonly subject: Subject
}

/** Flags that `npm start` sets, and those that every Cairn process sets itself. */
const flagsOfStart = ['--max-semi-space-size=8', '--heap-growing-percent=60']

const namespace = 'bench'

type StartOptions = Omit<ProductOptions, 'directory'>

const startProcess = async (context: Context, options: StartOptions) => {
  const asStarted = { ...context, nodeFlags: [...flagsOfStart, ...context.nodeFlags] }
  const subject = await startSubject('product', asStarted, {
    ...options,
    directory: context.directory,
  } satisfies ProductOptions)
  return { subject, namespace, ...(await subject.ask<ProductAddress>('address')) }
}

/** Starts the product in a separate process, with one empty text namespace. */
export const startProduct = async (context: Context, options: StartOptions): Promise<Product> => {
  const product = await startProcess(context, options)
  await createNamespace(product, namespace)
  return product
}

/** Stops the process and starts another one on the same data. */
export const restartProduct = async (
  context: Context,
  options: StartOptions,
  { apiKey, subject }: Product,
): Promise<Product> => {
  await subject.close()
  return startProcess(context, { ...options, apiKey })
}
