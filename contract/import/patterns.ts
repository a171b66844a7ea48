/** Raw text that is written over several lines: their breaks and indents do not count. */
export const joinLines = (strings: TemplateStringsArray, ...parts: string[]): string =>
  String.raw(strings, ...parts).replaceAll(/\n\s*/g, '')

/** A regular expression that is written over several lines, as with `joinLines`. */
export const regex =
  (flags = '') =>
  (strings: TemplateStringsArray, ...parts: string[]): RegExp =>
    new RegExp(joinLines(strings, ...parts), flags)
