import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { PDFDocument, PDFFont } from 'pdf-lib'

const require = createRequire(import.meta.url)

const SCRIPTS = [
  'latin',
  'latin-ext',
  'greek',
  'greek-ext',
  'cyrillic',
  'cyrillic-ext',
  'vietnamese',
] as const
const ITALIC = 'italic'
/** A font file, which has the letters of one script. */
type Face = { name: string; bytes: Buffer; characters: ReadonlySet<number> }

const buildFontPath = (script: string, style: string) =>
  require.resolve(`@fontsource/eb-garamond/files/eb-garamond-${script}-${style}.woff`)

async function loadFontkit() {
  const { default: fontkit } = await import('@pdf-lib/fontkit')
  return fontkit
}

async function loadFace(name: string, file: string): Promise<Face> {
  const fontkit = await loadFontkit()
  const bytes = await readFile(file)
  return { name, bytes, characters: new Set(fontkit.create(bytes).characterSet) }
}

type TextPart = { text: string; face: Face }
type Faces = { uprightFaces: Face[]; italicFace: Face }

async function readFaces(): Promise<Faces> {
  const loadingFaces = SCRIPTS.map((script) =>
    loadFace(script, buildFontPath(script, '500-normal')),
  )
  return {
    uprightFaces: await Promise.all(loadingFaces),
    italicFace: await loadFace(ITALIC, buildFontPath('latin', '400-italic')),
  }
}

let faces: Promise<Faces> | undefined
const loadFaces = () => (faces ??= readFaces())

/** Widths are at a font size of 1. */
type TextRun = { text: string; font: PDFFont; width: number }
export type Line = { runs: TextRun[]; width: number }

export type Typeface = {
  /** Null if the typeface lacks a letter. */
  upright: (text: string) => Promise<Line | null>
  italic: (text: string) => Promise<Line>
}

export async function createTypeface(doc: PDFDocument): Promise<Typeface> {
  doc.registerFontkit(await loadFontkit())
  const { uprightFaces, italicFace } = await loadFaces()
  const embeddedFonts = new Map<string, Promise<PDFFont>>()
  const embedFont = ({ name, bytes }: Face): Promise<PDFFont> => {
    const font = embeddedFonts.get(name) ?? doc.embedFont(bytes, { subset: true })
    embeddedFonts.set(name, font)
    return font
  }
  const toLine = async (parts: TextPart[]): Promise<Line> => {
    const runs = await Promise.all(
      parts.map(async ({ text, face }) => {
        const font = await embedFont(face)
        return { text, font, width: font.widthOfTextAtSize(text, 1) }
      }),
    )
    return { runs, width: runs.reduce((sum, { width }) => sum + width, 0) }
  }
  return {
    upright: async (text) => {
      const parts = splitByFace(text, uprightFaces)
      return parts && toLine(parts)
    },
    italic: (text) => toLine([{ text, face: italicFace }]),
  }
}

/** Returns null if a letter is in no face. Leaves out invisible characters, such as direction
 *  marks. */
function splitByFace(text: string, availableFaces: readonly Face[]): TextPart[] | null {
  const parts: TextPart[] = []
  for (const letter of text.normalize('NFC').replaceAll(/\p{Cf}/gu, '')) {
    const lastPart = parts.at(-1)
    const codePoint = letter.codePointAt(0) ?? 0
    const hasLetter = ({ characters }: Face) => characters.has(codePoint)
    const face =
      lastPart && hasLetter(lastPart.face) ? lastPart.face : availableFaces.find(hasLetter)
    if (!face) return null
    if (lastPart?.face === face) lastPart.text += letter
    else parts.push({ text: letter, face })
  }
  return parts.length > 0 ? parts : null
}
