import { splitNames, unguardFormula } from './csv.ts'

/** A cell as one line of text: no control characters, no apostrophe with which a spreadsheet keeps =, +, - or @ from being a formula. */
export const cellText = (cell: string): string =>
  unguardFormula(cell.toWellFormed().trimStart())
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()

/** As `cellText`, with its line breaks. */
export const cellLines = (cell: string): string =>
  unguardFormula(cell.toWellFormed().trimStart())
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, ' ')
    .trim()

/** What people write where there is nothing. */
const NOTHING = /^(-+|–|—|n\/?a|none|null|nil|unknown|no data|\?+|#n\/a)$/i
export const isNothing = (text: string): boolean => text === '' || NOTHING.test(text)

/** Without case, accents and anything but letters and digits; words are one space apart. */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const WORDS_OF_BELT = {
  white: 'white wht weiss blanco blanca blanc branca branco bianca shiro',
  yellow: 'yellow yel ylw gelb amarillo amarilla jaune amarela gialla',
  orange: 'orange org naranja laranja arancio arancione',
  green: 'green grn grun gruen verde vert verte',
  blue: 'blue blu blau azul bleu',
  brown: 'brown brn braun marron marrom cafe',
  black: 'black blk schwarz negro negra noir preta nera shodan nidan sandan yondan godan',
}
type Belt = keyof typeof WORDS_OF_BELT
const BELT_OF_WORD = new Map(
  Object.entries(WORDS_OF_BELT).flatMap(([belt, words]) =>
    words.split(' ').map((word) => [word, belt as Belt] as const),
  ),
)
/** Colours of belts that Tatami does not have. */
const OTHER_COLORS =
  /\b(purple|lila|violet|violett|morado|red|rot|rojo|rouge|gr[ae]y|grau|gris|gold|silver|pink|camo|tan|maroon)\b/

/**
 * The belt that a cell names in any common writing: "White", "yellow belt", "3rd kyu (brown)", "Black Belt, 2nd Dan", "Gelb". Of two colours
 * the one of the belt itself counts ("white belt, yellow stripe"). Null where that cannot be told.
 */
export function parseBelt(text: string): Belt | null {
  const folded = fold(text)
  if (OTHER_COLORS.test(folded)) return null
  const colors = folded
    .split(' ')
    .flatMap((word) => BELT_OF_WORD.get(word.replace(/(gurt|gurtel|belt)$/, '')) ?? [])
  const [first, second] = [...new Set(colors)]
  if (first && !second) return first
  if (!first) return /\b(dan|poom)\b|\bdegree\b/.test(folded) ? 'black' : null
  const [, named = ''] = /(\p{L}+) belt\b/u.exec(folded) ?? []
  const ownColor = BELT_OF_WORD.get(named)
  if (ownColor) return ownColor
  return /\b(with|w|stripes?|tips?|tags?)\b/.test(folded) ? first : null
}

/** Dollars of "$129.00", "129", "1.290,00 €", "129/month" or "free"; NaN for anything else. */
export function parseAmount(text: string): number {
  const bare = text
    .toLowerCase()
    .replaceAll(/usd|eur|gbp|dollars?|euros?|[$€£\s]/g, '')
    .replace(/(\/|per|a)?(mo|month|monthly|m)\.?$/, '')
  if (/^(free|comp|complimentary|scholarship)$/.test(bare)) return 0
  if (!/^-?\d[\d.,']*$/.test(bare)) return NaN
  const digits = bare.replaceAll("'", '')
  // One or two digits after the last separator are cents; three are thousands.
  const [, whole = digits, cents = ''] = /^(.*)[.,](\d{1,2})$/.exec(digits) ?? []
  return /^-?\d{1,3}([.,]\d{3})+$|^-?\d+$/.test(whole)
    ? Number(`${whole.replaceAll(/[.,]/g, '')}.${cents || '0'}`)
    : NaN
}

const YES = /^(y|yes|true|t|1|x|✓|✔|si|ja|oui|on|active)$/
const NO = /^(n|no|false|f|0|nein|non|off|inactive)$/
/** Yes or no in any common writing, null for something else. */
export const parseFlag = (text: string): boolean | null => {
  const word = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return YES.test(word) ? true : NO.test(word) ? false : null
}

export const parseGender = (text: string): 'male' | 'female' | 'other' | null => {
  const word = fold(text)
  if (/^(m|male|boy|man|mannlich|masculino|masculin|homme|hombre|h)$/.test(word)) return 'male'
  if (/^(f|female|girl|woman|w|weiblich|femenino|feminin|femme|mujer)$/.test(word)) return 'female'
  return /^(o|other|x|d|diverse?|divers|nonbinary|non binary|nb|prefer not to say|autre|otro)$/.test(
    word,
  )
    ? 'other'
    : null
}

/** What a column that says who is still there means for a student: on trial, away, there, or no student any more (yet). */
export type Status = 'trial' | 'vacation' | 'active' | 'left'
export const parseStatus = (text: string): Status | null => {
  const word = fold(text)
  if (/\b(trial|intro|introductory|probe)\b/.test(word)) return 'trial'
  if (/\b(frozen|freeze|hold|paused?|vacation|suspended|on leave|away)\b/.test(word))
    return 'vacation'
  if (
    /\b(inactive|cancell?ed|former|alumni|alum|lead|prospect|expired|dropped|quit|lost|terminated|archived|ex)\b/.test(
      word,
    )
  )
    return 'left'
  return /\b(active|current|member|student|regular|enrolled|paying|yes|aktiv|activo)\b/.test(word)
    ? 'active'
    : null
}

/** The first phone number of a cell in characters that a form takes, so without "cell:", dots and extensions; the text itself where none is. */
export function parsePhone(text: string): string {
  const first =
    text
      .split(/\s*[;,|]\s*|\s+(?:or|and|\/)\s+/i)
      .find((part) => part.replaceAll(/\D/g, '').length >= 7) ?? text
  const bare = first
    .replaceAll(/[‐-―]/g, '-')
    .replace(/(?:ext\.?|x|#)\s*\d+\s*$/i, '')
    .replaceAll(/\((?=[^)]*\p{L})[^)]*\)/gu, '')
    .replaceAll(/\p{L}+\.?:?/gu, '')
    .replace(/^(\d+)\.0$/, '$1')
    .replaceAll(/[./]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/^[-:\s]+|[-:\s]+$/g, '')
  return /^[0-9+\-() ]+$/.test(bare) && /\d/.test(bare) ? bare : text
}

/** "Ken Adams" of "Adams, Ken" and of "Ken  Adams". */
export const parseName = (text: string): string =>
  text
    .replace(/^([^,]+),\s*([^,]+)$/, '$2 $1')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** What nobody sees: soft hyphens, zero-width spaces, marks of direction. */
const UNSEEN = /\u00AD|[\u200B\u200E\u200F\u2060]/g
export const withoutUnseen = (text: string): string => text.replaceAll(UNSEEN, '')

/** A name as a student's is written: "Mary Adams" of "Mary (Adams)", "Tom O'Brien" of "Tom O`Brien". What is left that is no
 *  part of a name, digits for example, the form refuses. */
export const studentName = (name: string): string =>
  withoutUnseen(name)
    .replaceAll(/[`´＇]/g, "'")
    .replaceAll(/[\u200C\u200D]/g, '')
    .replaceAll(/["“”()[\]‒-―/_*,]/g, ' ')
    .replaceAll(/\s+-+\s+/g, ' ')
    .replaceAll(/(['’‘.-])(?=\1)/g, '')
    .replaceAll(/(?<=^|\s)[.-]+|-+(?=\s|$)/g, '')
    .replaceAll(/(?<=^|\s)['‘](\S+?)['’](?=\s|$)/gu, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The names of classes in a cell, each once. */
export const parseClasses = (cell: string): string[] => [
  ...new Set(
    splitNames(cellLines(cell))
      .map((name) => name.replaceAll(/\s+/g, ' '))
      .filter((name) => !isNothing(name)),
  ),
]
