/**
 * Characters that nobody sees and nobody means: soft hyphens, spaces without a width, byte order marks, and the marks of
 * direction that phones and spreadsheets put around a number or a name. Two kinds stay. The joiners, because Persian,
 * Indic scripts and emoji are written with them. And U+202E, because it turns the text around: fields that take no such
 * sign refuse it.
 */
const INVISIBLE =
  /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202D\u2060-\u2064\u2066-\u206F\uFEFF]/g
const ODD_SPACE = /[\u00A0\u2000-\u200A\u202F\u205F]/g
const FULL_WIDTH = /[０-９Ａ-Ｚａ-ｚ]/g
const JOINERS = /[\u200C-\u200D]|[\uFE0E-\uFE0F]/g
/** Most texts: nothing in them is to be cleaned. */
const TYPEABLE = /^[\t\n\r\x20-\x7E]*$/
const FULL_WIDTH_OFFSET = 0xfee0

/**
 * The text as it was meant: without invisible marks, with plain spaces (no-break ones become plain), and with plain digits
 * and letters in place of full-width ones. Every field of a form and every cell of a sheet goes through here, but no
 * password does.
 */
export function cleanText(text: string): string {
  if (TYPEABLE.test(text)) return text
  return text
    .replaceAll(INVISIBLE, '')
    .replaceAll(ODD_SPACE, ' ')
    .replaceAll(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_OFFSET))
}

/** The same for a phone number or an email address, in which full-width signs and hyphens of print are typed ones as well. */
export const cleanAddress = (text: string): string =>
  cleanText(text)
    .replaceAll(JOINERS, '')
    .normalize('NFKC')
    .replaceAll(/[\u2010\u2011]/g, '-')

const FULL_WIDTH_MARKS: Record<string, string> = { '＇': "'", '－': '-' }
// They choose how an emoji looks. Those of Japanese surnames (U+E0100 and after) are others.
const EMOJI_SELECTORS = /(?<!\p{Emoji})[\uFE00-\uFE0F]+/gu

/** The same for a name, in which a letter has no look of an emoji and two spaces are one. */
export const cleanName = (name: string): string =>
  cleanText(name)
    .replaceAll(EMOJI_SELECTORS, '')
    .replaceAll(/[＇－]/g, (mark) => FULL_WIDTH_MARKS[mark] ?? mark)
    .replaceAll(/\p{Zs}{2,}/gu, ' ')
