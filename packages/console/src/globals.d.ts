/** From package.json of the repository. */
declare const __VERSION__: string
