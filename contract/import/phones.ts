import { regex } from './patterns.ts'

export type CellPhone = {
  number: string
  numbers: string[]
  /** The cell also has an extension, another number or words. */
  hasMore: boolean
  /** Excel dropped digits (5.12555E+09), or the number is made up (000-000-0000). */
  isUnreadable: boolean
  /** "disconnected 512-555-0142" */
  isOutOfUse: boolean
}

const MAX_DIGITS = 15
export const MIN_DIGITS = 7
const US_NUMBER = /(?:\+?1[\s.-]*)?\(?\d{3}\)?[\s.-]*\d{3}[\s.-]*\d{4}/g
const EXTENSION = /(?:;?\bext(?:ension)?\b\.?|x|#)\s*[:.=]?\s*\d+\s*$/i
const MOBILE = /\b(cell|mobile|mob|handy|c|m)\b/i
/** "H:512-555-0142 C:512-555-0188" */
const NEXT_LABEL = /\s+(?=\p{L}{1,8}\.?\s*:\s*\(?\+?\d)/u
const OUT_OF_USE = regex('i')`
  \b(disconnected|disconnect|wrong|incorrect|(not|out of|no longer) (in )?(service|use|working
  |valid)|invalid|bad|old|former|dead|do not use|don'?t use|not working|doesn'?t work|fax)\b`

const extractDigits = (text: string) => text.replaceAll(/\D/g, '')

function findNumbers(text: string): string[] {
  const parts = text
    .split(NEXT_LABEL)
    .flatMap((part) => part.split(/\s*[;,|\n]\s*|\s+(?:or|and|&|\/)\s+/i))
    .flatMap((part) => {
      const numbers = part.split('/')
      return numbers.every((number) => extractDigits(number).length >= MIN_DIGITS)
        ? numbers
        : [part]
    })
    .flatMap((part) =>
      extractDigits(part).length > MAX_DIGITS ? (part.match(US_NUMBER) ?? [part]) : [part],
    )
    .filter((part) => extractDigits(part).length >= MIN_DIGITS)
  return [
    ...parts.filter((part) => MOBILE.test(part)),
    ...parts.filter((part) => !MOBILE.test(part)),
  ]
}

function removeWords(text: string): string {
  const bareText = text
    .replaceAll(/[‐-―−]/g, '-')
    .replace(EXTENSION, '')
    .replaceAll(/\((?=[^)]*\p{L})[^)]*\)/gu, '')
    .replaceAll(/\p{L}[\p{L}'’]*\.?:?/gu, '')
    .replaceAll(/[!?*,;]/g, '')
    .replace(/^(\d+)\.0$/, '$1')
    .replaceAll(/[./]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/^[-:\s]+|[-:\s]+$/g, '')
  return /^[0-9+\-() ]+$/.test(bareText) && /\d/.test(bareText) ? bareText : text
}

export function parsePhone(text: string): CellPhone {
  const isUnreadable =
    /^\d([.,]\d+)?e\+?\d+$/i.test(text) ||
    /^(?=\D*0)[0\s().+-]+$/.test(text) ||
    isOneRepeatedDigit(text)
  const parts = isUnreadable ? [] : findNumbers(text)
  const partsInUse = parts.filter((part) => !OUT_OF_USE.test(part))
  const isOutOfUse = parts.length > 0 && partsInUse.length === 0
  const numbers = partsInUse.map(removeWords)
  const number = numbers[0] ?? (isUnreadable ? '' : removeWords(text))
  const hasMore =
    !isUnreadable &&
    (extractDigits(number) !== extractDigits(text.replace(/\.0$/, '')) || hasWords(text))
  return { number, numbers, hasMore, isUnreadable, isOutOfUse }
}

const hasWords = (text: string) => {
  if (text.includes('?')) return true
  const words = text.match(/\p{L}+/gu) ?? []
  return words.some((word) => !PHONE_WORD.test(word))
}
const PHONE_WORD = regex('i')`
  ^(c|cell|cellphone|mobile|mob|m|handy|h|home|w|work|o|office|p|ph|phone|tel|telephone|number
  |no|nr|usa?)$`

const isOneRepeatedDigit = (text: string) =>
  /^[\d\s().+-]+$/.test(text) && /^(\d)\1{6,}$/.test(extractDigits(text))

/** Lower is better: mobile, unknown, other, home, work. */
export function rankForTexting(heading: string): number {
  const words = heading.toLowerCase()
  if (/\b(mobile?|cell|cellphone|c ?phone|handy|portable|m[oó]vil|celular|sms|text)\b/.test(words))
    return 0
  if (/\b(work|business|office|day|daytime)\b/.test(words)) return 4
  if (/\b(home|house|h ?phone|landline|evening)\b/.test(words)) return 3
  return /\b(other|second|secondary|alternate|alt|2|3)\b/.test(words) ? 2 : 1
}

/** A number with fewer than ten digits has no area code. */
export const canGetTexts = (number: string): boolean => extractDigits(number).length >= 10
