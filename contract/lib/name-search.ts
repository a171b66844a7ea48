/** The search for names ignores case, accents and punctuation: "OBrien" finds O’Brien, and both
 *  "Mueller" and "Muller" find Müller. The database simplifies names in the same way
 *  (`plain_letters` in the migrations). */

const PLAIN_LETTERS: Record<string, string> = {
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
const TWO_LETTER_SPELLINGS: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  å: 'aa',
  ø: 'oe',
  đ: 'dj',
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

export const normalize = (text: string) =>
  text
    .replace(INVISIBLE, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[đðłøıßæœþ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)

/** Like `normalize`, but writes "ü" and similar letters as two: "ue". */
export const expandUmlauts = (text: string) =>
  normalize(
    text
      .replace(INVISIBLE, '')
      .normalize('NFC')
      .toLowerCase()
      .replace(/[äöüåøđ]/g, (letter) => TWO_LETTER_SPELLINGS[letter] ?? letter),
  )

const PUNCTUATION = /['`’‘ʻʼ׳.\-\u2010\u2011\u05BE]/g
const SPACES = /[\s,]+/
const ASCII = /^[ -~]*$/

/** One spelling of a name or query, without punctuation. The examples are for "Ann O'Brien". */
type Spelling = {
  /** For example, "ann obrien" */
  text: string
  /** For example, "ann" and "obrien" */
  words: string[]
  /** For example, "ann", "o" and "brien" */
  parts: string[]
}

const splitWords = (text: string) => text.split(SPACES).filter((word) => word !== '')

function toSpelling(normalizedText: string): Spelling {
  const text = normalizedText.replace(PUNCTUATION, '').trim()
  const parts = splitWords(normalizedText.replace(PUNCTUATION, ' '))
  return { text, words: splitWords(text), parts }
}

function spellingsOf(text: string): Spelling[] {
  const variants = ASCII.test(text) ? [text.toLowerCase()] : [normalize(text), expandUmlauts(text)]
  return [...new Set(variants)].map(toSpelling)
}

/** True if a part of the name begins with the query. The query may run on into the next parts. */
const hasPartStartingWith = ({ parts }: Spelling, queryLetters: string) =>
  parts.some((_, index) => parts.slice(index).join('').startsWith(queryLetters))

type Compare = (name: Spelling, query: Spelling) => boolean

const createSearch =
  (compare: Compare) =>
  (query: string): ((name: string) => boolean) => {
    const querySpellings = spellingsOf(query)
    const matches: Compare = (name, querySpelling) =>
      compare(name, querySpelling) ||
      (querySpelling.text !== '' && hasPartStartingWith(name, querySpelling.parts.join('')))
    return (name) =>
      spellingsOf(name).some((spelling) =>
        querySpellings.some((querySpelling) => matches(spelling, querySpelling)),
      )
  }

export const nameContains = createSearch(
  (name, query) =>
    name.text.includes(query.text) || query.words.every((word) => name.text.includes(word)),
)

export const nameStartsWith = createSearch((name, query) =>
  query.words.every((word) => [...name.words, ...name.parts].some((part) => part.startsWith(word))),
)
