/** The GSM-7 alphabet. Characters of its extension count twice. */
const GSM_ALPHABET =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡' +
  'ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const GSM_EXTENSION = '^{}\\[~]|€\f'
const SINGLE_WIDTH = new Set(GSM_ALPHABET)
const DOUBLE_WIDTH = new Set(GSM_EXTENSION)

/** Characters in a text of one segment, and in each part (segment) of a longer text */
const GSM_LIMITS = { single: 160, part: 153 }
const UNICODE_LIMITS = { single: 70, part: 67 }

type Segments = { segments: number; encoding: 'GSM-7' | 'Unicode'; characters: number }

/** A single character outside GSM-7 makes the whole text Unicode. */
export function segmentsOf(text: string): Segments {
  const textCharacters = [...text]
  const isGsm = textCharacters.every(
    (character) => SINGLE_WIDTH.has(character) || DOUBLE_WIDTH.has(character),
  )
  const widths = textCharacters.map((character) => {
    if (!isGsm) return character.length
    return DOUBLE_WIDTH.has(character) ? 2 : 1
  })
  const characters = widths.reduce((sum, width) => sum + width, 0)
  const { single, part } = isGsm ? GSM_LIMITS : UNICODE_LIMITS
  return {
    segments: characters <= single ? Math.min(characters, 1) : countParts(widths, part),
    encoding: isGsm ? 'GSM-7' : 'Unicode',
    characters,
  }
}

/** A double-width character is never split, so a part may have one character less. */
function countParts(widths: number[], maxPartLength: number): number {
  let parts = 1
  let partLength = 0
  for (const width of widths) {
    if (partLength + width > maxPartLength) {
      parts += 1
      partLength = 0
    }
    partLength += width
  }
  return parts
}
