export type Sentence = { section: string; text: string }

/** What stands in quotes or brackets hides its full stops and semicolons; only the last of a quote may end the sentence. */
const HIDING = /'(?=[^\s,.;])[^'\n]*[^\s('](?='(?!\p{L}))|\([^()]*\)/gu
const hide = (text: string) =>
  text.replaceAll(/[.!;](?!$)/g, (sign) => String.fromCodePoint(0xe000 + sign.codePointAt(0)!))
const show = (text: string) =>
  text.replaceAll(/[\ue000-\ue0ff]/g, (sign) => String.fromCodePoint(sign.codePointAt(0)! - 0xe000))
const CUT = /(?<=[.!]'?)\s+(?=[\p{Lu}'(*])|;\s+/u

/** What the specification says, piece by piece: the lines of tables, sentences, and the parts of sentences between semicolons. */
export function sentencesOf(specification: string): Sentence[] {
  return specification.split(/^## /m).flatMap((part) => {
    const [section = '', ...lines] = part.split('\n')
    return lines.flatMap((line, at) => {
      const isHead = line.startsWith('|') && lines[at + 1]?.startsWith('|---')
      if (!line.trim() || line.startsWith('#') || line.startsWith('|---') || isHead) return []
      const pieces = line.startsWith('|')
        ? [line]
        : line.replace(/^- /, '').replaceAll(HIDING, hide).split(CUT).map(show)
      return pieces.map((text) => ({ section, text }))
    })
  })
}
