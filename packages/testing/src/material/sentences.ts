import type { Random } from '../seeded-random.ts'

type Parts = {
  readonly subjects: readonly string[]
  readonly verbs: readonly string[]
  readonly objects: readonly string[]
  readonly blank: ' ' | ''
  readonly end: string
}

const parts = (subjects: string, verbs: string, objects: string, blank: ' ' | '' = ' ', end = '.'): Parts => {
  const list = (text: string) => text.split(',').map((word) => word.trim())
  return { subjects: list(subjects), verbs: list(verbs), objects: list(objects), blank, end }
}

/** Enough words of each language to fill pages with its letters; the meaning of the sentences does not matter. */
const languages = {
  english: parts(
    'The old harbour, A quiet teacher, Every second engine, The northern library, One careful gardener, Her youngest brother, The wooden bridge, A travelling doctor, The village council, This heavy machine',
    'repairs, remembers, carries, replaces, measures, forgets, protects, receives, describes, collects',
    'the broken lamps, seven letters from abroad, a box of copper nails, the winter harvest, many small boats, the map of the valley, fresh bread and salt, a borrowed ladder, the names of the rivers, three silver coins',
  ),
  french: parts(
    'Le garçon sérieux, La forêt épaisse, Un élève étonné, Notre façade blanche, Le château hanté, La reine âgée',
    'protège, espère, répète, achète, préfère, reçoit',
    'des crêpes dorées, un cœur léger, le maïs coupé, une île lointaine, le thé brûlant, où dort le hérisson',
  ),
  german: parts(
    'Der fröhliche Müller, Die große Brücke, Jede schöne Stadt, Unser Bäcker, Der König, Das grüne Mädchen',
    'hört, fährt über, grüßt, schließt, trägt, prüft',
    'süße Früchte, die Straße, einen weißen Löffel, den müden Bären, heiße Öfen, das ältere Haus',
  ),
  polish: parts(
    'Żółta łódka, Mały źrebak, Nasza ścieżka, Późny pociąg, Dzielny książę, Każdy człowiek',
    'niesie, śpiewa, rozumie, zbiera, przynosi, myśli',
    'pięć jabłek, dużą górę, ciężki młot, święty dzień, cień drzewa, słodką gruszkę',
  ),
  turkish: parts(
    'Küçük çocuk, Yaşlı balıkçı, Güzel İstanbul, Ağır kapı, Işıklı sokak, Öğretmen şimdi',
    'taşıyor, görüyor, çağırıyor, öğreniyor, düşünüyor, bölüyor',
    'kırmızı elmayı, geniş köprüyü, eski şarkıyı, soğuk suyu, büyük ağacı, gümüş yüzüğü',
  ),
  lithuanian: parts(
    'Žalias ąžuolas, Mažas ežys, Šaltas vėjas, Mūsų kaimynė, Čia žmogus, Įdomus žodis',
    'neša, šoka, žino, ieško, mėgsta, grįžta su',
    'šviežią duoną, tylų ežerą, raudoną žiedą, ilgą kelią, gražų rūbą, sunkų akmenį',
  ),
  russian: parts(
    'Старый корабль, Тихий учитель, Каждый город, Наша соседка, Большой мост, Молодой врач',
    'привозит, помнит, защищает, собирает, описывает, чинит',
    'свежий хлеб, зимний урожай, серебряные монеты, деревянную лестницу, карту долины, имена рек',
  ),
  greek: parts(
    'Το παλιό λιμάνι, Ο ήσυχος δάσκαλος, Κάθε πόλη, Η γειτόνισσα, Η μεγάλη γέφυρα, Ο νέος γιατρός',
    'φέρνει, θυμάται, προστατεύει, μαζεύει, περιγράφει, φτιάχνει',
    'φρέσκο ψωμί, τον χάρτη της κοιλάδας, ασημένια νομίσματα, την ξύλινη σκάλα, τα ονόματα, πολλές βάρκες',
  ),
  hebrew: parts(
    'הנמל הישן, המורה השקט, כל עיר, השכנה שלנו, הגשר הגדול, הרופא הצעיר',
    'מביא, זוכר, שומר על, אוסף, מתאר, מתקן',
    'לחם טרי, מטבעות כסף, סולם עץ, מפת העמק, שמות הנהרות, סירות רבות',
  ),
  arabic: parts(
    'الميناء القديم, المعلم الهادئ, كل مدينة, جارتنا, الجسر الكبير, الطبيب الشاب',
    'يحمل, يتذكر, يحمي, يجمع, يصف, يصلح',
    'خبزا طازجا, خريطة الوادي, نقودا فضية, سلما خشبيا, أسماء الأنهار, قوارب كثيرة',
  ),
  japanese: parts(
    '古い港は, 静かな先生が, 隣の町では, 若い医者は, 大きな橋が, わたしの姉は',
    '毎朝, ゆっくりと, いつも, 今でも, 昔から, ときどき',
    '新しいパンを運びます, 川の名前を覚えています, 銀貨を集めます, 木のはしごを直します, 谷の地図を描きます, 小さな船を守ります',
    '',
    '。',
  ),
  chinese: parts(
    '古老的港口, 安静的老师, 每个城市, 我们的邻居, 年轻的医生, 那座大桥',
    '每天, 常常, 仍然, 已经, 慢慢地, 从来',
    '运来新鲜的面包, 记得河流的名字, 收集许多银币, 修理木头梯子, 描述山谷的地图, 保护小船',
    '',
    '。',
  ),
  taiwanese: parts(
    '古老的港口, 安靜的老師, 每個城市, 我們的鄰居, 年輕的醫生, 那座大橋',
    '每天, 常常, 仍然, 已經, 慢慢地, 從來',
    '運來新鮮的麵包, 記得河流的名字, 收集許多銀幣, 修理木頭梯子, 描述山谷的地圖, 保護小船',
    '',
    '。',
  ),
  korean: parts(
    '오래된 항구는, 조용한 선생님은, 모든 도시는, 우리 이웃은, 젊은 의사는, 큰 다리는',
    '매일, 천천히, 자주, 여전히, 가끔, 언제나',
    '신선한 빵을 나릅니다, 강의 이름을 기억합니다, 은화를 모읍니다, 나무 사다리를 고칩니다, 골짜기 지도를 그립니다, 작은 배를 지킵니다',
  ),
} as const satisfies Record<string, Parts>

export type Language = keyof typeof languages
export const languageNames = Object.keys(languages) as readonly Language[]

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Creates a generator of sentences that are all different. Each sentence ends with a random number (in English an
 * invented name, which people and OCR read well), so that a match identifies the sentence.
 */
export const createSentenceGenerator = (random: Random) => {
  const used = new Set<string>()
  const unlike = (create: () => string): string => {
    for (;;) {
      const text = create()
      if (used.has(text)) continue
      used.add(text)
      return text
    }
  }
  const syllables = [
    'ba',
    'dor',
    'fel',
    'gan',
    'hol',
    'ker',
    'lim',
    'mor',
    'nes',
    'pol',
    'ran',
    'sev',
    'tal',
    'ven',
    'wil',
    'zon',
  ]
  const name = () => capital(Array.from({ length: 3 }, () => random.pick(syllables)).join(''))
  const number = () => String(1_000 + random.below(89_000))
  return {
    /** Returns an invented proper name. */
    name: () => unlike(name),
    sentence: (language: Language = 'english'): string =>
      unlike(() => {
        const { subjects, verbs, objects, blank, end } = languages[language]
        const words = [random.pick(subjects), random.pick(verbs), random.pick(objects)].join(blank)
        if (language === 'english') return `${words} near ${name()}${end}`
        return `${words}${blank}${number()}${end}`
      }),
    /** Returns a sentence without a period, as in titles. */
    title: () =>
      unlike(
        () => `${random.pick(['Notes on', 'A history of', 'Questions about', 'The state of', 'Work in'])} ${name()}`,
      ),
  }
}

export type SentenceGenerator = ReturnType<typeof createSentenceGenerator>
