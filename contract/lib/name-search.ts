/** How a name is searched for, the same wherever: without case and accents, and with or without the
 *  marks of its words. "OBrien", "o brien" and "O’Brien" find O'Brien, O’Brien, OBrien and O Brien;
 *  "Mueller" and "Muller" find Müller, and "Müller" finds all three. The database folds alike
 *  (`plain_letters` and its companions in the migration searches-without-unseen-marks). */

/** Letters that have no accent to take away, as they are typed without them. */
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
/** Letters that some write with two others instead. */
const WRITTEN_OUT: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  å: 'aa',
  ø: 'oe',
  đ: 'dj',
}

/** Joiners, soft hyphens, marks of direction and others that nobody sees or types. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu

/** Removes case, accents and what nobody sees. */
export const normalize = (words: string) =>
  words
    .replace(UNSEEN, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[đðłøıßæœþ]/g, (letter) => PLAIN[letter]!)

/** The same with letters that some write with two others written so. */
export const writtenOut = (words: string) =>
  normalize(
    words
      .replace(UNSEEN, '')
      .normalize('NFC')
      .toLowerCase()
      .replace(/[äöüåøđ]/g, (letter) => WRITTEN_OUT[letter]!),
  )

const MARKS = /['`’‘ʻʼ׳.\-\u2010\u2011\u05BE]/g
const SPACES = /[\s,]+/
const ASCII = /^[ -~]*$/

/** A text in one way to fold it. */
type Form = {
  /** Without marks: "ann obrien". */
  text: string
  /** "ann", "obrien" */
  words: string[]
  /** Divided at the marks, too: "ann", "o", "brien". */
  parts: string[]
}

const formOf = (foldedText: string): Form => {
  const text = foldedText.replace(MARKS, '').trim()
  const wordsIn = (words: string) => words.split(SPACES).filter((word) => word !== '')
  return { text, words: wordsIn(text), parts: wordsIn(foldedText.replace(MARKS, ' ')) }
}

const formsOf = (text: string): Form[] => {
  const spellings = ASCII.test(text) ? [text.toLowerCase()] : [normalize(text), writtenOut(text)]
  return [...new Set(spellings)].map(formOf)
}

/** "obrien" begins "O Brien" after "Ann" in "Ann O Brien". */
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

/** Whether a name has the typed words anywhere, in any order. Nothing typed finds every name. */
export const nameHas = matchesIn(
  (name, query) =>
    name.text.includes(query.text) || query.words.every((word) => name.text.includes(word)),
)

/** Whether each typed word begins a word of the name, in any order. */
export const nameBegins = matchesIn((name, query) =>
  query.words.every((word) => [...name.words, ...name.parts].some((part) => part.startsWith(word))),
)
