/** English, German, Spanish and French words that say nothing about a question's subject. */
const functionWords: ReadonlySet<string> = new Set(
  `a am an and are as at be been but by can could did do does for from get had has have how i if in into is it its many
  me much my no not of on or our shall should so than that the their them then there these they this those to us was we
  were what when where which who whom whose why will with would you your
  der die das den dem des ein eine einen einem einer eines wie wer wen wem wessen wann wo wohin woher was welche welcher welches welchen
  welchem warum wieso ist sind war waren habe wird werden wurde wurden hat haben hatte kann man sich nicht mit von vom zu zum zur im am auf aus
  für bei beim nach und oder es er sie ich wir ihr viel viele vielen
  el la los las un una unos unas al del lo que qué quién quiénes cuál cuáles cuándo cuánto cuánta cuántos cuántas dónde cómo es son era
  fue fueron ha han se su sus por para con sin sobre y o en de no más
  le les une des du au aux qui quoi quel quelle quels quelles quand où comment combien pourquoi est sont était ont avait sur pour par avec
  dans et ou ne pas ce cette ces il elle`.split(/\s+/),
)

/** Ignores case. */
export const isFunctionWord = (word: string): boolean => functionWords.has(word.toLowerCase())
