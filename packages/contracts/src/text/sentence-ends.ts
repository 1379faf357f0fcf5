import { isFunctionWord } from './question-words.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

/** A name or a number follows, never a new sentence. */
const leading = words(
  `Mr Mrs Ms Messrs Dr Drs Prof Rev Hon St Ste Mt Ft Gen Col Capt Cpt Lt Sgt Maj Cmdr Gov Sen Rep Pres Sr Sra Srta Dra Lic Dña Mme Mlle MM
  Hr Fr Dipl Ing Mag Sig Dott Avv bzw Bd Hrsg No Nos Nr Nrn núm Núm nº pp vgl Vgl ca Ca approx Approx vs cf Cf al fig Fig figs Figs
  art Art arts vol Vol sec Sec ch ed Ed eds trans Abs Ziff Kap Art Anm bspw ggf inkl exkl zzgl evtl sog insb geb gest verh Str str tel
  Tel tél Tél čl č str tzv např resp min max incl excl dept Dept est Est`,
)
/** May also end a sentence: if the next word begins sentences. */
const either = words(
  `Jr Sr Inc Corp Co Ltd Bros LLC plc etc usw usf Jan Feb Febr Mar Apr Jun Jul Aug Sep Sept Oct Okt Nov Dec Dez Mon Tue Tues Wed Thu
  Thur Thurs Fri Sat Sun kg km cm mm ft in lb lbs oz hr hrs mins sq av avda Av Avda pág págs S.A Cía Hnos dpto Univ Assn Ave Blvd Rd Ch Ll Ph Th`,
)
/** German words before an ordinal number, as in `im 19. Jahrhundert`. */
const beforeOrdinal = words('am im der des dem das die den vom zum zur seit ab bis jeder jedes beim ins und')
const months = words('Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember')

/** Whether a sentence that seems to end at a period with `before` goes on. */
const goesOn = (before: string, after: string): boolean => {
  const [, previous = '', token] = /(?:(\S+)\s+)?[\p{Ps}\p{Pi}"'„§]*(\S{1,20})\.$/u.exec(before) ?? []
  const next = /^[\p{Ps}\p{Pi}"'„]*([\p{L}\p{M}’'-]+|\p{N})?/u.exec(after)?.[1]
  if (token === undefined || next === undefined) return false
  if (leading.has(token)) return true
  // Initials: the word "A" of a sentence has no period.
  if (/^\p{Lu}$/u.test(token) && /^\p{Lu}\./u.test(after)) return true
  if (/^\p{N}/u.test(next)) return /^\p{Lu}\p{L}{0,4}$/u.test(token) || either.has(token)
  // The number of an item of a list, or an ordinal.
  if (/^\d{1,3}$/.test(token))
    return previous === '' || months.has(next) || (beforeOrdinal.has(previous.toLowerCase()) && /^\p{Lu}/u.test(next))
  const isShort =
    either.has(token) ||
    /^\p{Lu}$/u.test(token) ||
    /^[IVX]+$/.test(token) ||
    /^(?:\p{L}{1,2}\.)+\p{L}{1,2}$/u.test(token)
  // "z. B. Brot", "EE. UU. en": letters apart.
  return (isShort || /^(?:\p{L}|\p{Lu}{2})$/u.test(token)) && !isFunctionWord(next)
}

let segmenter: Intl.Segmenter | undefined

/**
 * Yields Unicode's sentences (UAX 29), joined at periods of initials, abbreviations, ordinals and numbers of
 * references. `index`: UTF-16 units. Together they are the text.
 */
export function* sentencesOf(text: string): Generator<{ readonly segment: string; readonly index: number }> {
  // On first use: an idle process should not load its data.
  segmenter ??= new Intl.Segmenter('und', { granularity: 'sentence' })
  let start = 0
  let end = 0
  for (const { segment, index } of segmenter.segment(text)) {
    // Only the end, so that many joined sentences cost no more.
    const before = text.slice(Math.max(start, end - 60), end)
    const isEnd = !/\.[^\S\n]+$/.test(before) || !goesOn(before.trimEnd(), segment.slice(0, 40))
    if (isEnd && end > start) yield { segment: text.slice(start, end), index: start }
    if (isEnd) start = index
    end = index + segment.length
  }
  if (end > start) yield { segment: text.slice(start, end), index: start }
}
