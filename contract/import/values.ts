import { cleanText } from '../lib/clean-text.ts'
import { splitNames, unguardFormula } from './students-csv.ts'
import { isSuffix } from '../lib/name-parts.ts'
import { withoutStrayJoiners } from '../lib/names.ts'
import { regex } from './patterns.ts'

/** Printable ASCII with single spaces needs no cleaning. */
const PLAIN_CELL = /^[\x21-\x7E]+(?: [\x21-\x7E]+)*$/

/** One line of text, without control characters and a spreadsheet's leading apostrophe. */
export function cellText(cell: string): string {
  if (cell === '' || PLAIN_CELL.test(cell)) return unguardFormula(cell)
  return unguardFormula(cleanText(cell.toWellFormed()).trimStart())
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

export const cellLines = (cell: string): string =>
  unguardFormula(cleanText(cell.toWellFormed()).trimStart())
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, ' ')
    .trim()

const NO_VALUE = /^(-+|–|—|n\/?a|none|null|nil|unknown|no data|\?+)$/i
const FORMULA_ERROR =
  /^#(n\/a|ref!?|value!?|name\??|null!?|num!?|div\/0!?|spill!?|calc!?|error!?)$/i
export const isFormulaError = (text: string): boolean => FORMULA_ERROR.test(text)
export const isBlankValue = (text: string): boolean =>
  text === '' || NO_VALUE.test(text) || isFormulaError(text)

/** Turns text into lowercase words without accents and punctuation, one space apart. */
export const normalizeText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const WORDS_BY_BELT = {
  white: 'white wht weiss blanco blanca blanc branca branco bianca shiro',
  yellow: 'yellow yel ylw gelb amarillo amarilla jaune amarela gialla',
  orange: 'orange org naranja laranja arancio arancione',
  green: 'green grn grun gruen verde vert verte',
  blue: 'blue blu blau azul bleu',
  brown: 'brown brn braun marron marrom cafe',
  black: 'black blk schwarz negro negra noir preta nera shodan nidan sandan yondan godan',
}
type Belt = keyof typeof WORDS_BY_BELT
const BELT_BY_WORD = new Map(
  Object.entries(WORDS_BY_BELT).flatMap(([belt, words]) =>
    words.split(' ').map((word) => [word, belt as Belt] as const),
  ),
)
const OTHER_COLORS = regex()`
  \b(purple|lila|violet|violett|morado|red|rot|rojo|rouge|gr[ae]y|grau|gris|gold|silver|pink
  |camo|tan|maroon)\b`

const findBeltOfWord = (word: string) => BELT_BY_WORD.get(word.replace(/(gurt|gurtel|belt)$/, ''))

/** Finds the belts whose colors the text names. */
export const findBeltColors = (text: string): Belt[] => [
  ...new Set(
    normalizeText(text)
      .split(' ')
      .flatMap((word) => findBeltOfWord(word) ?? []),
  ),
]

export const namesColor = (text: string): boolean =>
  OTHER_COLORS.test(normalizeText(text)) || findBeltColors(text).length > 0

/** Reads "3rd kyu (brown)" or "Gelb". In "white belt, yellow stripe" the belt's color counts. */
export function parseBelt(text: string): Belt | null {
  const words = normalizeText(text)
  if (OTHER_COLORS.test(words)) return null
  const [color, otherColor] = findBeltColors(text)
  if (color && !otherColor) return color
  if (!color) return /\b(dan|poom)\b|\bdegree\b/.test(words) ? 'black' : null
  const [, colorBeforeBelt = ''] = /(\p{L}+) belt\b/u.exec(words) ?? []
  const namedBelt = BELT_BY_WORD.get(colorBeforeBelt)
  if (namedBelt) return namedBelt
  return /\b(with|w|stripes?|tips?|tags?)\b/.test(words) ? color : null
}

export const isNoBelt = (text: string): boolean => NO_BELT.test(normalizeText(text))
const NO_BELT = regex()`
  ^(no|none|not|without|un) ?(a )?(belt|rank|ranked|graded|belted|grade|yet|yet ranked)?( yet)?$
  |^(0|beginner|new|new student|no rank yet|tb[adc]|pending|unbelted|trial|start(er)?)$`

/** -1 is a yes in files from Microsoft Access. */
const YES_WORD = /^(y|yes|true|t|1|-1|x|checked|selected|☒|✓|✔|☑|✅|si|ja|oui|on|active)$/
const NO_WORD = /^(n|no|false|f|0|unchecked|✗|✘|☐|❌|nein|non|off|inactive)$/
export const parseFlag = (text: string): boolean | null => {
  const word = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  if (YES_WORD.test(word)) return true
  return NO_WORD.test(word) ? false : null
}

export const parseGender = (text: string): 'male' | 'female' | 'other' | null => {
  const word = normalizeText(text)
  if (/^(m|male|boy|man|mannlich|masculino|masculin|homme|hombre|h)$/.test(word)) return 'male'
  if (/^(f|female|girl|woman|w|weiblich|femenino|feminin|femme|mujer)$/.test(word)) return 'female'
  return OTHER_GENDER.test(word) ? 'other' : null
}
const OTHER_GENDER =
  /^(o|other|x|d|diverse?|divers|nonbinary|non binary|nb|prefer not to say|autre|otro)$/

/** "Adams, Ken" becomes "Ken Adams", and "Adams Jr., Ken" becomes "Ken Adams Jr." */
export function parseName(text: string): string {
  const parts = text.split(',').map((part) => part.split(/\s+/).filter(Boolean))
  const suffixes = parts.map((words) => findSuffixes(words))
  const names = parts.map((words, index) => words.slice(0, words.length - suffixes[index]!.length))
  const [surname = [], givenWords = [], ...otherParts] = names.filter((words) => words.length > 0)
  if (otherParts.length > 0) return text.replaceAll(/\s+/g, ' ').trim()
  return [...givenWords, ...surname, ...suffixes.flat()].join(' ')
}

function findSuffixes(words: string[]): string[] {
  const firstSuffix = words.findLastIndex((word) => !isSuffix(word)) + 1
  return words.slice(firstSuffix)
}

const INVISIBLE = /\u00AD|[\u200B\u200E\u200F\u2060]/g
export const removeInvisible = (text: string): string => text.replaceAll(INVISIBLE, '')

/** Removes characters that are never part of a name. Others, such as digits, remain, and the form
 *  refuses them. */
export const cleanStudentName = (name: string): string =>
  withoutStrayJoiners(removeInvisible(name))
    .replaceAll(/[`´＇]/g, "'")
    .replaceAll(/(?<=\p{L})[‒–−](?=\p{L})/gu, '-')
    .replaceAll(/["“”()[\]‒-―/_*,]/g, ' ')
    .replaceAll(/\s+-+\s+/g, ' ')
    .replaceAll(/(['’‘.-])(?=\1)/g, '')
    .replaceAll(/(?<=^|\s)[.-]+|-+(?=\s|$)/g, '')
    .replaceAll(/(?<=^|\s)['‘](\S+?)['’](?=\s|$)/gu, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()

export const parseClasses = (cell: string): string[] => [
  ...new Set(
    splitNames(cellLines(cell))
      .map((name) => name.replaceAll(/\s+/g, ' '))
      .filter((name) => !isBlankValue(name)),
  ),
]
