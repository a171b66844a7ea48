/** Search without case, accents and punctuation. "OBrien", "o brien" and "O’Brien" find O'Brien,
 *  O’Brien, OBrien and O Brien; "Mueller" and "Muller" find Müller, and "Müller" finds all three.
 *  The database folds names the same way (`plain_letters` in the migrations). */

const PLAIN: Record<string, string> = {
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ø: 'o',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}
const WRITTEN_OUT: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  å: 'aa',
  ø: 'oe',
  đ: 'dj',
}

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu

export const normalize = (words: string) =>
  words
    .replace(UNSEEN, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[đðłøıßæœþ]/g, (letter) => PLAIN[letter] ?? letter)

/** Like `normalize`, with umlauts and similar letters written out as two. */
export const expandUmlauts = (words: string) =>
  normalize(
    words
      .replace(UNSEEN, '')
      .normalize('NFC')
      .toLowerCase()
      .replace(/[äöüåøđ]/g, (letter) => WRITTEN_OUT[letter] ?? letter),
  )

const MARKS = /['`’‘ʻʼ׳.\-\u2010\u2011\u05BE]/g
const SPACES = /[\s,]+/
const ASCII = /^[ -~]*$/

type Form = {
  text: string
  /** "ann", "obrien" */
  words: string[]
  parts: string[]
}

const formOf = (foldedText: string): Form => {
  const text = foldedText.replace(MARKS, '').trim()
  const wordsIn = (words: string) => words.split(SPACES).filter((word) => word !== '')
  return { text, words: wordsIn(text), parts: wordsIn(foldedText.replace(MARKS, ' ')) }
}

const formsOf = (text: string): Form[] => {
  const spellings = ASCII.test(text) ? [text.toLowerCase()] : [normalize(text), expandUmlauts(text)]
  return [...new Set(spellings)].map(formOf)
}

const beginsAcrossWords = ({ parts }: Form, joinedWords: string) =>
  parts.some((_, place) => parts.slice(place).join('').startsWith(joinedWords))

type Compare = (name: Form, typed: Form) => boolean
const matchesIn =
  (compare: Compare) =>
  (query: string): ((name: string) => boolean) => {
    const typedForms = formsOf(query)
    const matches: Compare = (name, form) =>
      compare(name, form) || (form.text !== '' && beginsAcrossWords(name, form.parts.join('')))
    return (name) =>
      formsOf(name).some((form) => typedForms.some((queryForm) => matches(form, queryForm)))
  }

/** True if the name contains the query's words in any order. An empty query matches every name. */
export const nameContains = matchesIn(
  (name, query) =>
    name.text.includes(query.text) || query.words.every((word) => name.text.includes(word)),
)

/** True if each word of the query begins a word of the name. */
export const nameStartsWith = matchesIn((name, query) =>
  query.words.every((word) => [...name.words, ...name.parts].some((part) => part.startsWith(word))),
)
