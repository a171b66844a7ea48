const PLAIN: Record<string, string> = {
  "'": '‘’‚‛′´`ʼ‹›',
  '"': '“”„‟″',
  '-': '‐‑‒–—―−',
  '...': '…',
  ' ': '\t\u00A0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000',
  '*': '•·',
  '': '\u00AD\u200B\u2060\uFEFF',
}
const PLAIN_OF = new Map(
  Object.entries(PLAIN).flatMap(([plain, characters]) =>
    [...characters].map((character) => [character, plain] as const),
  ),
)

/** A single typographic character more than halves how many fit into a text segment. */
export const plainCharacters = (text: string): string =>
  [...text].map((character) => PLAIN_OF.get(character) ?? character).join('')
