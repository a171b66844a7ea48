/** The characters that a name may have. Punctuation is allowed in these places only:
 *  - an apostrophe, hyphen or period between letters: O'Brien, Winston-Salem, J.R., and two of
 *    them in J.-P. and Ka-‘Iulani;
 *  - a period after a word: Jr., St. Louis;
 *  - an apostrophe before a word (’t Hooft, ‘Okina), and after a word if another word follows
 *    (O' Brien) or in Hebrew (ג'ורג'). Two apostrophes around a word are quotation marks.
 *  Every word has a letter of some alphabet. Digits, other characters and invisible ones such as
 *  U+202E are refused. */
const APOSTROPHE = "['’‘׳]"
const HYPHEN = '[-\u2010\u2011\u05BE]'
// Hangul fillers and joiners are invisible letters. Japanese surnames have variation selectors.
const LETTER = String.raw`(?=\p{L})\P{Default_Ignorable_Code_Point}`
// In these scripts, a joiner changes the shape of the letters around it.
const JOINED_SCRIPTS = [
  ...['Arabic', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu'],
  ...['Kannada', 'Malayalam', 'Sinhala'],
]
const JOINED_LETTER = `[${JOINED_SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}]`
const SCRIPT_JOINER = `(?<=${JOINED_LETTER})[\u200C\u200D](?=${JOINED_LETTER})`
// Combining marks, such as accents.
const VISIBLE_MARK = String.raw`(?=\p{M})\P{Default_Ignorable_Code_Point}`
const MARK = String.raw`(?:${VISIBLE_MARK}|\p{Variation_Selector}|${SCRIPT_JOINER})`
const LETTERS = `${LETTER}(?:${LETTER}|${MARK})*`
const JOINER = String.raw`(?:\.?${HYPHEN}${APOSTROPHE}?|${APOSTROPHE}|\.)`
const WORD_CORE = `${LETTERS}(?:${JOINER}${LETTERS})*`
const ELIDED_WORD = String.raw`${WORD_CORE}${APOSTROPHE}(?=\p{Zs})`
const HEBREW = String.raw`(?=\p{Script=Hebrew})${WORD_CORE}${APOSTROPHE}`
const WORD = String.raw`(?:${ELIDED_WORD}|${HEBREW}|${APOSTROPHE}?${WORD_CORE}\.?)`

const NAME = new RegExp(String.raw`^\p{Zs}*${WORD}(?:\p{Zs}+${WORD})*\p{Zs}*$`, 'u')
export const isName = (text: string): boolean => NAME.test(text)

/** Returns the words of the text that could be part of a name: "Ann O'Brien (2)" → "Ann O'Brien". */
export const extractName = (text: string): string =>
  (text.match(new RegExp(WORD, 'gu')) ?? []).join(' ')

const INVISIBLE = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u
const JOINERS_AND_SELECTORS = /[\u200C\u200D\p{Variation_Selector}]/gu
/** Ignores joiners, because Persian, Indic scripts and emoji need them. */
export const hasInvisibleCharacters = (text: string): boolean =>
  INVISIBLE.test(text.replace(JOINERS_AND_SELECTORS, ''))

const STRAY_JOINER = new RegExp(`(?!${SCRIPT_JOINER})[\u200C\u200D]`, 'gu')
export const withoutStrayJoiners = (text: string): string => text.replaceAll(STRAY_JOINER, '')
