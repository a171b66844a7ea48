/** Plain text → the typographic characters that it replaces */
const REPLACED_CHARACTERS: Record<string, string> = {
  "'": '‘’‚‛′´`ʼ‹›',
  '"': '“”„‟″',
  '-': '‐‑‒–—―−',
  '...': '…',
  ' ': '\t\u00A0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000',
  '*': '•·',
  '': '\u00AD\u200B\u2060\uFEFF',
}
const PLAIN_BY_CHARACTER = new Map(
  Object.entries(REPLACED_CHARACTERS).flatMap(([plain, characters]) =>
    [...characters].map((character) => [character, plain] as const),
  ),
)

/** A single typographic character would shrink a text segment from 160 characters to 70. */
export const toPlainCharacters = (text: string): string =>
  [...text].map((character) => PLAIN_BY_CHARACTER.get(character) ?? character).join('')
