import { AppError } from '@cairn/contracts/errors'

/** What still depends on version 0.1, by number. */
export type Unfinished = {
  /** Active namespaces whose points lack metadata fields, or have the lexemes of version 1. */
  readonly points: number
  /** Active namespaces that need the model file of 0.1. */
  readonly models: number
  /** Files, and open upload permissions, whose key does not contain the id of their namespace. */
  readonly keys: number
}

/** Version of the lexemes of form 1. A released step does not change, so this is not `lexemesVersion`. */
export const lexemesOfForm1 = 2

/** The place of a namespace's models in its record: the one that is searched, and the other one of a reindex. */
export const modelsOfNamespace = ['embedding', 'reindex.embedding'] as const

/**
 * Fields that form 1 has and that records of earlier versions may lack, by collection, with values that mean the same
 * as a missing field. `bytes` of files is the size of the object.
 */
export const addedFields = {
  namespaces: { countPass: null, lexemes: lexemesOfForm1, language: 'en' },
  items: { insertedBy: '' },
  files: { passages: null, 'live.extraction': 0 },
} as const

/** Throws AppError `conflict`, which names the counts and the remedy, unless all counts are 0. */
export const refuseUnfinished = ({ points, models, keys }: Unfinished): void => {
  if (points + models + keys === 0) return
  throw new AppError(
    'conflict',
    `The stored data still depends on version 0.1: namespaces with points of 0.1: ${points}; namespaces that need the model file of 0.1: ${models}; files under keys of 0.1: ${keys}. ` +
      'Nothing was changed. Run the commit 5e09d85d on this data until nothing is left (docs/upgrade.md, "From 0.1"), then this version.',
  )
}
