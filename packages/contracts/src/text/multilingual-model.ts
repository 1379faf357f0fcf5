/** Local model for namespaces whose texts the default model can't read. */
export const multilingualModel = 'multilingual-e5-small'
