/** For texts that the default model can't read. */
export const multilingualModel = 'multilingual-e5-small'
