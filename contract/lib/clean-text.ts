/** Soft hyphens, zero-width spaces, byte order marks and direction marks. Leaves out joiners, which
 *  Persian, Indic scripts and emoji need, and U+202E, which forms refuse. */
const INVISIBLE =
  /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202D\u2060-\u2064\u2066-\u206F\uFEFF]/g
const NON_ASCII_SPACE = /[\u00A0\u2000-\u200A\u202F\u205F]/g
const FULL_WIDTH = /[０-９Ａ-Ｚａ-ｚ]/g
const JOINERS = /[\u200C-\u200D]|[\uFE0E-\uFE0F]/g
/** Most texts match this and need no cleaning. */
const PLAIN_TEXT = /^[\t\n\r\x20-\x7E]*$/
/** A full-width character has the code of its ASCII counterpart plus this number. */
const FULL_WIDTH_OFFSET = 0xfee0

/** Cleans every form field and cell of an imported sheet, except passwords. */
export function cleanText(text: string): string {
  if (PLAIN_TEXT.test(text)) return text
  return text
    .replaceAll(INVISIBLE, '')
    .replaceAll(NON_ASCII_SPACE, ' ')
    .replaceAll(FULL_WIDTH, (character) =>
      String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET),
    )
}

/** Cleans emails and phone numbers. */
export const cleanContactText = (text: string): string =>
  cleanText(text)
    .replaceAll(JOINERS, '')
    .normalize('NFKC')
    .replaceAll(/[\u2010\u2011]/g, '-')

const FULL_WIDTH_PUNCTUATION: Record<string, string> = { '＇': "'", '－': '-' }
// Emoji selectors that do not follow an emoji. Japanese surnames need those from U+E0100 up.
const EMOJI_SELECTORS = /(?<!\p{Emoji})[\uFE00-\uFE0F]+/gu

export const cleanName = (name: string): string =>
  cleanText(name)
    .replaceAll(EMOJI_SELECTORS, '')
    .replaceAll(/[＇－]/g, (character) => FULL_WIDTH_PUNCTUATION[character] ?? character)
    .replaceAll(/\p{Zs}{2,}/gu, ' ')
