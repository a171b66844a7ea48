const NUMBERS_BELOW_TWENTY = [
  ...'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve'.split(' '),
  ...'Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen'.split(' '),
]
const TENS = '- - Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety'.split(' ')
const MAX_SPELLED_NUMBER = 999_999
const IRREGULAR_ORDINALS: Record<string, string> = {
  One: 'First',
  Two: 'Second',
  Three: 'Third',
  Five: 'Fifth',
  Eight: 'Eighth',
  Nine: 'Ninth',
  Twelve: 'Twelfth',
}

/** 101 is One Hundred One. Long numbers and numbers with leading zeros are read digit by digit. */
export function spellOutNumber(digits: string): string {
  const value = Number(digits)
  const isShortNumber = value <= MAX_SPELLED_NUMBER && String(value) === digits
  if (isShortNumber) return toNumberWords(value).join(' ')
  return [...digits].map((digit) => NUMBERS_BELOW_TWENTY[Number(digit)] ?? '').join(' ')
}

function toNumberWords(value: number): string[] {
  const spellRemainder = (divisor: number) =>
    value % divisor === 0 ? [] : toNumberWords(value % divisor)
  if (value < 20) return [NUMBERS_BELOW_TWENTY[value] ?? '']
  if (value < 100) return [TENS[Math.floor(value / 10)] ?? '', ...spellRemainder(10)]
  if (value < 1000)
    return [...toNumberWords(Math.floor(value / 100)), 'Hundred', ...spellRemainder(100)]
  return [...toNumberWords(Math.floor(value / 1000)), 'Thousand', ...spellRemainder(1000)]
}

function spellOutOrdinal(digits: string): string {
  const words = spellOutNumber(digits).split(' ')
  const lastWord = words.at(-1) ?? ''
  return [...words.slice(0, -1), toOrdinal(lastWord)].join(' ')
}

function toOrdinal(word: string): string {
  const irregularOrdinal = IRREGULAR_ORDINALS[word]
  if (irregularOrdinal !== undefined) return irregularOrdinal
  return word.endsWith('y') ? `${word.slice(0, -1)}ieth` : `${word}th`
}

/** "17:00" is Five PM, and "9:05 am" is Nine Oh Five AM. */
function spellOutTime(hours: string, minutes = '00', meridiem = ''): string {
  const hour = Number(hours)
  const isAfternoon = meridiem === '' && hour > 12
  const isAfterMidnight = meridiem === '' && hour === 0
  const hourOnClock = hour % 12 === 0 ? 12 : hour % 12
  const minute = Number(minutes)
  const minuteWords =
    minute < 10 ? `Oh ${NUMBERS_BELOW_TWENTY[minute] ?? ''}` : spellOutNumber(String(minute))
  let meridiemWord = meridiem.replaceAll('.', '').toUpperCase()
  if (isAfterMidnight) meridiemWord = 'AM'
  if (isAfternoon) meridiemWord = 'PM'
  const words = [NUMBERS_BELOW_TWENTY[hourOnClock], minute === 0 ? '' : minuteWords, meridiemWord]
  return words.filter(Boolean).join(' ')
}

const SIGNS: Record<string, string> = {
  '&': 'and',
  '+': 'Plus',
  '#': 'Number',
  '@': 'at',
  '%': 'Percent',
  '<': 'Under',
  '>': 'Over',
  '=': 'Equals',
  $: 'Dollar',
}

const FRACTIONS: Record<string, string> = {
  '¼': 'One Quarter',
  '½': 'One Half',
  '¾': 'Three Quarters',
  '⅓': 'One Third',
  '⅔': 'Two Thirds',
  '⅛': 'One Eighth',
}

/** Class names have only letters: "Under 14" becomes "Under Fourteen". */
export const spellOutName = (name: string): string =>
  name
    .replaceAll(/[¼½¾⅓⅔⅛]/g, (fraction) => ` ${FRACTIONS[fraction] ?? ''} `)
    .normalize('NFKC')
    // Women's → Womens
    .replaceAll(/(\p{L})['’‘`´](\p{L})/gu, '$1$2')
    // 17:00, 5:30 pm
    .replaceAll(
      /\b([01]?\d|2[0-3])[:.h]([0-5]\d)\s*([ap]\.?m\b\.?)?/gi,
      (_, hours: string, minutes: string, meridiem?: string) =>
        ` ${spellOutTime(hours, minutes, meridiem)} `,
    )
    // 5 pm
    .replaceAll(
      /\b(0?[1-9]|1[0-2])\s*([ap]\.?m\b\.?)/gi,
      (_, hours: string, meridiem: string) => ` ${spellOutTime(hours, '00', meridiem)} `,
    )
    // 1st
    .replaceAll(/(\d+)(?:st|nd|rd|th)\b/gi, (_, digits: string) => ` ${spellOutOrdinal(digits)} `)
    // 5-7
    .replaceAll(/(\d)\s*[-‐-―]\s*(?=\d)/g, '$1 to ')
    // 1.5
    .replaceAll(/(\d)[.,](?=\d)/g, '$1 Point ')
    .replaceAll(/[0-9]+/g, (digits) => ` ${spellOutNumber(digits)} `)
    .replaceAll(/[&+#@%<>=$]/g, (sign) => ` ${SIGNS[sign] ?? ''} `)
    // All other characters that are not letters
    .replaceAll(/[^\p{L}\p{M}\s]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
