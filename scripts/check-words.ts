/** Checks that every sentence quoted by the specification or docs/modules is in exactly one source
 *  file, and that at least one test spells each sentence of the specification. */
import { globSync, readFileSync } from 'node:fs'

const LABEL = 'a label of one or two words, wherever that thing is named'
const COMPOSED_REASON = 'put together from its parts, which stand once each'

/** Quoted, but not one string in one file; each with its reason. */
const EXCEPTIONS: Record<string, string> = {
  Instructor: LABEL,
  Created: LABEL,
  'Class Center': LABEL,
  'All Students': LABEL,
  'SMS Setup': LABEL,
  '(Instructor)': COMPOSED_REASON,
  '(Student)': COMPOSED_REASON,
  '{belt} Belt • Trial/Regular Student': COMPOSED_REASON,
  'Sensei name is required': COMPOSED_REASON,
  'Digital signature is required': COMPOSED_REASON,
  '6:00 AM': 'an example of how a time is written',
  'Yet to pay': 'a figure of the specification\'s own speech; the screen says "Yet To Pay"',
}

const isSentence = (text: string) =>
  /^[\p{Lu}©]/u.test(text) && / /.test(text) && !/^(GET|POST|PUT|DELETE) /.test(text)

export const quotedIn = (specification: string) =>
  [...specification.matchAll(/(?<![\p{L}\d])'(?!\p{Ll})([^'\n]+)'(?!\p{L})/gu)].map(
    ([, text = '']) => text.trim(),
  )

export const decidedIn = (page: string) =>
  [...page.matchAll(/`([^`]+)`|"([^"]+)"/g)]
    .map(([, code, quote]) => (code ?? quote ?? '').replaceAll(/\s+/g, ' '))
    .filter(isSentence)

/** Finds a sentence that is a whole string or JSX text; `{n}` stands for any inserted value. */
function patternOf(sentence: string): RegExp {
  const parts = sentence
    .split(/\{[^}]*\}/)
    .map((part) => part.replaceAll(/[$()*+.?[\]^{|}\\]/g, '\\$&').replaceAll("'", "\\\\?'"))
  return new RegExp(
    `(?:['"\`>}]|^)\\s*${parts.join('(?:\\$?\\{[^{}]*\\}|\\{\\w+\\})')}\\s*(?:['"\`<{$\\\\]|$)`,
    'm',
  )
}

/** A placeholder such as `{name}` stands for any few words. */
export function untestedSentences(sentences: string[], tests: string[]): string[] {
  const text = tests.join('\n').replaceAll(/\s+/g, ' ').replaceAll("\\'", "'")
  return sentences.filter((sentence) => {
    const parts = sentence
      .split(/\{[^}]*\}/)
      .map((part) => part.replaceAll(/[$()*+.?[\]^{|}\\]/g, '\\\\?\\$&'))
    return !new RegExp(parts.join('.{0,60}?')).test(text)
  })
}

const withoutComments = (source: string) => source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')

export function problemsWith(
  sentences: string[],
  sources: [file: string, source: string][],
  exceptions: Record<string, string>,
): string[] {
  const bare = sources.map(([file, source]) => [file, withoutComments(source)] as const)
  const homesOf = (sentence: string) =>
    bare.filter(([, source]) => patternOf(sentence).test(source)).map(([file]) => file)
  return [
    ...sentences
      .filter((sentence) => !Object.hasOwn(exceptions, sentence))
      .flatMap((sentence) => {
        const homes = homesOf(sentence)
        return homes.length === 1
          ? []
          : [`"${sentence}" stands ${homes.length === 0 ? 'nowhere' : `in ${homes.join(', ')}`}`]
      }),
    ...Object.keys(exceptions)
      .filter((sentence) => !sentences.includes(sentence) || homesOf(sentence).length === 1)
      .map((sentence) => `"${sentence}" is no exception any more`),
  ]
}

const TESTS = [
  '{contract,server,web}/**/*.test.{ts,tsx}',
  '{contract,server}/test/**/*.ts',
  'e2e/**/*.ts',
]
const NOT_SOURCE = /node_modules|dist|\.test\.|server\/(test|demo)/

if (import.meta.main) {
  const read = (file: string) => readFileSync(file, 'utf8')
  const sources = globSync('{contract,server,web}/**/*.{ts,tsx,html}', {
    exclude: (path) => NOT_SOURCE.test(path),
  }).map((file): [string, string] => [file, read(file)])
  const specifiedSentences = quotedIn(read('docs/specification.md'))
  const decidedSentences = globSync('docs/modules/*.md').flatMap((page) => decidedIn(read(page)))
  const sentences = [...new Set([...specifiedSentences, ...decidedSentences])]
  const tests = globSync(TESTS, { exclude: (path) => /node_modules|dist/.test(path) }).map(read)
  const problems = [
    ...problemsWith(sentences, sources, EXCEPTIONS),
    ...untestedSentences([...new Set(specifiedSentences)], tests)
      .filter((sentence) => !Object.hasOwn(EXCEPTIONS, sentence))
      .map((sentence) => `"${sentence}" is spelled by no test`),
  ]
  const but = `but for ${Object.keys(EXCEPTIONS).length} exceptions`
  console.log(problems.join('\n') || `${sentences.length} sentences have one home each, ${but}`)
  process.exitCode = problems.length > 0 ? 1 : 0
}
