/** Characters of the GSM-7 alphabet. Those of the extension count twice. */
const GSM =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡' +
  'ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const GSM_EXTENDED = '^{}\\[~]|€\f'
const SINGLE_WIDTH = new Set(GSM)
const DOUBLE_WIDTH = new Set(GSM_EXTENDED)

const GSM_SINGLE = 160,
  GSM_PART = 153,
  UNICODE_SINGLE = 70,
  UNICODE_PART = 67

type Segments = { segments: number; encoding: 'GSM-7' | 'Unicode'; characters: number }

/** Segments as carriers bill them. One character outside GSM-7 makes the whole text Unicode. */
export function segmentsOf(text: string): Segments {
  const units = [...text].map((character) =>
    SINGLE_WIDTH.has(character) ? 1 : DOUBLE_WIDTH.has(character) ? 2 : 0,
  )
  const isGsm = !units.includes(0)
  const widths = isGsm ? units : [...text].map(({ length }) => length)
  const characters = widths.reduce<number>((sum, width) => sum + width, 0)
  const [single, part] = isGsm ? [GSM_SINGLE, GSM_PART] : [UNICODE_SINGLE, UNICODE_PART]
  return {
    segments: characters <= single ? Math.min(characters, 1) : partsOf(widths, part),
    encoding: isGsm ? 'GSM-7' : 'Unicode',
    characters,
  }
}

/** A double-width character is never split, so a segment may be one short. */
function partsOf(widths: number[], part: number): number {
  let parts = 1,
    partLength = 0
  for (const width of widths) {
    const fits = partLength + width <= part
    parts += fits ? 0 : 1
    partLength = fits ? partLength + width : width
  }
  return parts
}
