import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const modelName = 'all-MiniLM-L6-v2'

/** What a folder must hold to be used. */
const neededFiles = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'] as const

export const missingFiles = (dir: string): string[] => neededFiles.filter((file) => !existsSync(join(dir, file)))

/** How far the work has come; `progress` is 0 to 1 where it is known. */
export type Report = (progress: { readonly detail: string; readonly progress?: number }) => void

export type HubSource = {
  readonly repository: string
  /** A commit: what it names can't change. */
  readonly revision: string
  /** SHA-256 by path. */
  readonly files: Readonly<Record<string, string>>
}

/** The sums were taken from what others published about this commit, not from a download of our own. */
export const publicHub: HubSource = {
  repository: 'Xenova/all-MiniLM-L6-v2',
  revision: '751bff37182d3f1213fa05d7196b954e230abad9',
  files: {
    'config.json': '7135149f7cffa1a573466c6e4d8423ed73b62fd2332c575bf738a0d033f70df7',
    'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
    'tokenizer_config.json': '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
    'onnx/model_quantized.onnx': 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  },
}

/** What the converter makes: raised whenever another version of it would make other files. */
export const convertedRevision = 'converted-1'
