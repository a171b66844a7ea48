/** Joins the lines of a raw template without their indents. */
export const joinLines = (strings: TemplateStringsArray, ...parts: string[]): string =>
  String.raw(strings, ...parts).replaceAll(/\n\s*/g, '')

/** A template for a regular expression on several lines. */
export const regex =
  (flags = '') =>
  (strings: TemplateStringsArray, ...parts: string[]): RegExp =>
    new RegExp(joinLines(strings, ...parts), flags)

/** "4 left" in "10 classes, 4 left". It does not mean that the student has left. */
export const VISITS_LEFT = /\b(\d{1,3})\s*(classes|visits|lessons|sessions)?\s*(left|remaining)\b/i
