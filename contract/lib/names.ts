/** What a name of a person or a city is made of. An apostrophe, hyphen or full stop belongs to a word, and so to the name,
 *  - between two letters: O'Brien, Winston-Salem, J.R., also one after another in J.-P. and Ka-‘Iulani;
 *  - a full stop also after the word: Jr., St. Louis;
 *  - an apostrophe also before it (’t Hooft, ‘Okina), and after it where another word follows
 *    (O' Brien) or where it is Hebrew (ג'ורג'); a word between two of them is quoted instead.
 *  Every word has a letter, of any alphabet. Digits, other signs and whatever nobody sees, such as
 *  U+202E, are no part of a name. */
const APOSTROPHE = "['’‘׳]"
const HYPHEN = '[-\u2010\u2011\u05BE]'
// The Hangul fillers, joiners and the like count as letters and marks, but nobody sees them. A
// variation selector chooses the shape of the letter before it, as in Japanese surnames.
const LETTER = String.raw`(?=\p{L})\P{Default_Ignorable_Code_Point}`
// In Arabic and Indic scripts the joiners choose how the letters beside them are written.
const JOINED_SCRIPTS = [
  ...['Arabic', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu'],
  ...['Kannada', 'Malayalam', 'Sinhala'],
]
const JOINED_LETTER = `[${JOINED_SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}]`
const SCRIPT_JOINER = `(?<=${JOINED_LETTER})[\u200C\u200D](?=${JOINED_LETTER})`
const SEEN_MARK = String.raw`(?=\p{M})\P{Default_Ignorable_Code_Point}`
const MARK = String.raw`(?:${SEEN_MARK}|\p{Variation_Selector}|${SCRIPT_JOINER})`
const LETTERS = `${LETTER}(?:${LETTER}|${MARK})*`
const JOINER = String.raw`(?:\.?${HYPHEN}${APOSTROPHE}?|${APOSTROPHE}|\.)`
const CORE = `${LETTERS}(?:${JOINER}${LETTERS})*`
const ELIDED_WORD = String.raw`${CORE}${APOSTROPHE}(?=\p{Zs})`
const HEBREW = String.raw`(?=\p{Script=Hebrew})${CORE}${APOSTROPHE}`
const WORD = String.raw`(?:${ELIDED_WORD}|${HEBREW}|${APOSTROPHE}?${CORE}\.?)`

const NAME = new RegExp(String.raw`^\p{Zs}*${WORD}(?:\p{Zs}+${WORD})*\p{Zs}*$`, 'u')
export const isName = (text: string): boolean => NAME.test(text)

/** The part of a free text that can be a name: "Ann O'Brien" of "Ann O'Brien (2)". */
export const nameWithin = (text: string): string =>
  (text.match(new RegExp(WORD, 'gu')) ?? []).join(' ')

/** Marks of direction, characters without a width and others that nobody sees. The joiners are left:
 *  Persian, Indic scripts and emoji are written with them. */
const UNSEEN = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u
const VISIBLE_MARKS = /[\u200C\u200D\p{Variation_Selector}]/gu
export const hasUnseen = (text: string): boolean => UNSEEN.test(text.replace(VISIBLE_MARKS, ''))

const STRAY_JOINER = new RegExp(`(?!${SCRIPT_JOINER})[\u200C\u200D]`, 'gu')
/** Takes away the joiners that join nothing. */
export const withoutStrayJoiners = (text: string): string => text.replaceAll(STRAY_JOINER, '')
