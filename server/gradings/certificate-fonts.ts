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
type Face = { name: string; bytes: Buffer; characters: ReadonlySet<number> }

const fileOf = (script: string, style: string) =>
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

let faces: Promise<{ upright: Face[]; italic: Face }> | undefined
const loadFaces = () =>
  (faces ??= (async () => ({
    upright: await Promise.all(
      SCRIPTS.map((script) => loadFace(script, fileOf(script, '500-normal'))),
    ),
    italic: await loadFace(ITALIC, fileOf('latin', '400-italic')),
  }))())

type Run = { text: string; font: PDFFont; width: number }
export type Line = { runs: Run[]; width: number }

export type Typeface = {
  /** Null if the typeface lacks a letter. */
  upright: (text: string) => Promise<Line | null>
  italic: (text: string) => Promise<Line>
}

export async function typefaceFor(doc: PDFDocument): Promise<Typeface> {
  doc.registerFontkit(await loadFontkit())
  const { upright, italic } = await loadFaces()
  const embeddedFonts = new Map<string, Promise<PDFFont>>()
  const fontOf = ({ name, bytes }: Face): Promise<PDFFont> => {
    const font = embeddedFonts.get(name) ?? doc.embedFont(bytes, { subset: true })
    embeddedFonts.set(name, font)
    return font
  }
  const lineOf = async (parts: { text: string; face: Face }[]): Promise<Line> => {
    const runs = await Promise.all(
      parts.map(async ({ text, face }) => {
        const font = await fontOf(face)
        return { text, font, width: font.widthOfTextAtSize(text, 1) }
      }),
    )
    return { runs, width: runs.reduce((sum, { width }) => sum + width, 0) }
  }
  return {
    upright: async (text) => {
      const parts = splitByFace(text, upright)
      return parts && lineOf(parts)
    },
    italic: (text) => lineOf([{ text, face: italic }]),
  }
}

/** Changes the face only for a missing letter. Leaves out invisible marks and directions. */
function splitByFace(
  text: string,
  availableFaces: readonly Face[],
): { text: string; face: Face }[] | null {
  const parts: { text: string; face: Face }[] = []
  for (const letter of text.normalize('NFC').replaceAll(/\p{Cf}/gu, '')) {
    const last = parts.at(-1)
    const has = ({ characters }: Face) => characters.has(letter.codePointAt(0)!)
    const face = last && has(last.face) ? last.face : availableFaces.find(has)
    if (!face) return null
    if (last?.face === face) last.text += letter
    else parts.push({ text: letter, face })
  }
  return parts.length > 0 ? parts : null
}
