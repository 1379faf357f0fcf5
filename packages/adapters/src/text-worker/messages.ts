import type { TextWorker } from '@cairn/domain/ports/text-worker'

export type TextTask = Exclude<keyof TextWorker, 'close'>
/** A call of a text worker, as its thread receives it. */
export type TextRequest = { [T in TextTask]: { readonly task: T; readonly input: Parameters<TextWorker[T]> } }[TextTask]
