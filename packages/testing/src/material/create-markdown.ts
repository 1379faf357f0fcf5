import { seededRandom } from '../seeded-random.ts'
import type { CreateMaterial, KnownSentence } from './material.ts'
import { createSentenceGenerator } from './sentences.ts'

/**
 * Creates a document with front matter, nested headings (ATX and setext), lists, tables, quotes, and code that looks
 * like headings.
 */
export const createMarkdown: CreateMaterial = async (seed, { sentences: requestedCount } = {}) => {
  const random = seededRandom(seed)
  const { sentence, title } = createSentenceGenerator(random)
  const knownSentences: KnownSentence[] = []
  const path: string[] = []
  const parts: string[] = []
  const addSentence = (text: string, more: Partial<KnownSentence> = {}) => {
    knownSentences.push({ text, headings: [...path], ...more })
    return text
  }
  const heading = () => {
    const level = Math.min(1 + random.below(4), path.length + 1)
    path.length = level - 1
    const name = title()
    path.push(name)
    if (level <= 2 && random.chance(0.3)) parts.push(`${name}\n${(level === 1 ? '=' : '-').repeat(name.length)}`)
    else parts.push(`${'#'.repeat(level)} ${name}${random.chance(0.2) ? ' ##' : ''}`)
  }
  const table = () => {
    const rows = Array.from(
      { length: 2 + random.below(3) },
      () => `| ${random.below(100)} | ${addSentence(sentence(), { inTable: true })} |`,
    )
    parts.push(['| number | remark |', '| ---: | --- |', ...rows].join('\n'))
  }
  const name = title()
  const fronted = random.chance(0.5)
  if (fronted)
    parts.push(`---\ntitle: "${name}"\ntags: [one, two]\nyear: ${1_900 + random.below(100)}\ndraft: false\n---`)
  heading()
  const count = requestedCount ?? 20 + random.below(40)
  while (knownSentences.length < count) {
    const choice = random.below(10)
    if (choice < 2) heading()
    else if (choice < 5) parts.push([addSentence(sentence()), addSentence(sentence())].join(random.pick([' ', '\n'])))
    else if (choice === 5)
      parts.push([1, 2, 3].map((number) => `${random.pick(['-', `${number}.`])} ${addSentence(sentence())}`).join('\n'))
    else if (choice === 6) table()
    else if (choice === 7) parts.push(`> ${addSentence(sentence())}`)
    else if (choice === 8) parts.push(`\`\`\`sh\n# not a heading\n# ${addSentence(sentence())}\n\`\`\``)
    else parts.push(addSentence(sentence(random.pick(['hebrew', 'arabic', 'japanese', 'chinese', 'korean', 'greek']))))
  }
  return {
    bytes: Buffer.from(`${parts.join('\n\n')}\n`),
    truth: { sentences: knownSentences, encoding: 'utf-8', ...(fronted ? { title: name } : {}) },
  }
}
