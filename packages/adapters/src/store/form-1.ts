import { AppError } from '@cairn/contracts/errors'

/** Counts of what still depends on version 0.1. */
export type Unfinished = {
  /** Active namespaces whose points lack metadata fields, or have the lexemes of version 1. */
  readonly points: number
  /** Active namespaces that need the model file of 0.1. */
  readonly models: number
  /** Files, and open upload permissions, whose key lacks the id of their namespace. */
  readonly keys: number
}

/** Version of the lexemes of form 1. A released step does not change, so this is not `lexemesVersion`. */
export const lexemesOfForm1 = 2

/** In a namespace's record: the model that is searched, and the other one of a reindex. */
export const modelsOfNamespace = ['embedding', 'reindex.embedding'] as const

/** Values that mean the same as the missing field. `bytes` of files is the size of the object. */
export const addedFields = {
  namespaces: { countPass: null, lexemes: lexemesOfForm1, language: 'en' },
  items: { insertedBy: '' },
  files: { passages: null, 'live.extraction': 0 },
} as const

/** AppError `conflict` names the counts and the remedy. */
export const refuseUnfinished = ({ points, models, keys }: Unfinished): void => {
  if (points + models + keys === 0) return
  throw new AppError(
    'conflict',
    `The stored data still depends on version 0.1: namespaces with points of 0.1: ${points}; namespaces that need the model file of 0.1: ${models}; files under keys of 0.1: ${keys}. ` +
      'Nothing was changed. Run the commit 5e09d85d on this data until nothing is left (docs/upgrade.md, "From 0.1"), then this version.',
  )
}
