import { textMutations } from './mutate-text.ts'
import type { Mutations, Subject } from './mutation.ts'

const page = (body: string): Buffer => Buffer.from(`<!DOCTYPE html><title>x</title><body>${body}`)
const spliced = ({ bytes, random }: Subject, middle: string): Buffer => {
  const index = random.below(bytes.length)
  return Buffer.concat([bytes.subarray(0, index), Buffer.from(middle), bytes.subarray(index)])
}

/** Damage to the markup of a page. */
export const htmlMutations: Mutations = {
  ...textMutations.txt,
  'deep-elements': ({ random }) => page(`${random.pick(['<div>', '<b>', '<ul><li>', '<svg>']).repeat(100_000)}deep`),
  'deep-tables': () => page(`${'<table><tr><td>'.repeat(30_000)}deep`),
  'elements-never-closed': () => page('<div>x'.repeat(1_000_000)),
  'markup-that-multiplies': () =>
    page(Array.from({ length: 3_000 }, (_, index) => `<font size="${index}" color="${index}">x<p>`).join('')),
  'wide-cell': () =>
    page(`<table><tr><td colspan="1000000" rowspan="1000000">wide</td></tr><tr><td>x</td></tr></table>`),
  'many-attributes': () =>
    page(`<p ${Array.from({ length: 200_000 }, (_, index) => `a${index}=1`).join(' ')}>text</p>`),
  'huge-attribute': ({ hugeBytes }) =>
    Buffer.concat([page('<img alt="a picture" src="data:'), Buffer.alloc(hugeBytes, 'a'), Buffer.from('"><p>after')]),
  'huge-comment': ({ hugeBytes }) =>
    Buffer.concat([page('<p>before<!--'), Buffer.alloc(hugeBytes, 'a '), Buffer.from('--><p>after')]),
  'huge-tag': ({ hugeBytes }) => Buffer.concat([page('<p>before<'), Buffer.alloc(hugeBytes, 'a')]),
  'comment-never-closed': (subject) => spliced(subject, '<!-- '),
  'script-never-closed': (subject) => spliced(subject, '<script>'),
  'quote-never-closed': (subject) => spliced(subject, '<p class="'),
  'text-everywhere-but-in-elements': ({ bytes }) =>
    Buffer.from(bytes.toString('latin1').replaceAll('<p>', '<table>').replaceAll('</li>', ''), 'latin1'),
  'brackets-without-end': ({ random }) =>
    page(`before ${random.pick(['<', '&', '</', '<!', '<?', '&#', '<a ']).repeat(200_000)}`),
  'tags-wrongly-nested': ({ random }) =>
    page(
      Array.from({ length: 5_000 }, () =>
        random.pick(['<b>', '</i>', '<p>', '</div>', '<i>', '<table>', '</td>', '<a href=x>', '<li>', 'x', '</table>']),
      ).join(''),
    ),
  'entities-of-everything': () =>
    page('&lt;script&gt; &#0; &#xD800; &#x110000; &#99999999999; &nosuch; &amp;amp; &NotEqualTilde; kept'),
  'things-elsewhere': ({ canaryFile, canaryUrl }) =>
    page(
      `<base href="${canaryUrl}/"><link rel="stylesheet" href="${canaryUrl}"><meta http-equiv="refresh" content="0; url=${canaryUrl}"><img src="${canaryUrl}"><iframe src="file://${canaryFile}"></iframe><object data="file://${canaryFile}"></object><script src="${canaryUrl}"></script><img onerror="fetch('${canaryUrl}')" src="x"><p>text</p>`,
    ),
  'doctype-that-acts': ({ canaryFile, canaryUrl }) =>
    Buffer.from(
      `<!DOCTYPE html [<!ENTITY x SYSTEM "file://${canaryFile}"><!ENTITY % p SYSTEM "${canaryUrl}"> %p;]><html><body>&x;<p>text</p></body></html>`,
    ),
  'encoding-that-lies': ({ bytes, random }) =>
    Buffer.from(
      bytes
        .toString('latin1')
        .replace(
          /charset="[^"]*"/,
          `charset="${random.pick(['utf-16', 'shift_jis', 'x-nothing', 'iso-2022-jp', 'koi8-r'])}"`,
        ),
      'latin1',
    ),
  'only-navigation': () => page('<nav>where to go</nav>'),
  'only-hidden': () => page('<p hidden>not to be seen</p>'),
  'no-text': () => page('<script>var x = 1</script><style>p {}</style><template>x</template><img src="a.png">'),
}
