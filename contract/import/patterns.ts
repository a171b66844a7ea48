/** Joins the lines of a raw template: line breaks and indents are dropped. */
export const joinLines = (strings: TemplateStringsArray, ...parts: string[]): string =>
  String.raw(strings, ...parts).replaceAll(/\n\s*/g, '')

/** Writes a regular expression over several lines, which `joinLines` joins. */
export const regex =
  (flags = '') =>
  (strings: TemplateStringsArray, ...parts: string[]): RegExp =>
    new RegExp(joinLines(strings, ...parts), flags)
