/** Checks that each sentence that a document quotes is in exactly one source file. A sentence of
 *  the specification must also be in a test. */
import { globSync, readFileSync } from 'node:fs'

const LABEL = 'a short label, used in several places'
const COMPOSED_REASON = 'composed of parts, each of which is in one place'

/** Quoted sentences that are not one string in one file, with the reason. */
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
  'Yet to pay': 'how the specification refers to it; the screen says "Yet To Pay"',
}

/** A sentence begins with a capital letter, contains a space, and is not an API call. */
const isSentence = (text: string) =>
  /^[\p{Lu}©]/u.test(text) && / /.test(text) && !/^(GET|POST|PUT|DELETE) /.test(text)

/** Finds the texts in single quotes. An apostrophe within a word is not a quote. */
export const findQuotes = (specification: string) =>
  [...specification.matchAll(/(?<![\p{L}\d])'(?!\p{Ll})([^'\n]+)'(?!\p{L})/gu)].map(
    ([, text = '']) => text.trim(),
  )

/** Finds the sentences in double quotes or backticks. Code in backticks is left out. */
export const findQuotedSentences = (page: string) =>
  [...page.matchAll(/`([^`]+)`|"([^"]+)"/g)]
    .map(([, code, quote]) => (code ?? quote ?? '').replaceAll(/\s+/g, ' '))
    .filter(isSentence)

/** Matches a sentence in source code, as a string or in JSX. A placeholder such as `{name}` may
 *  have another name there. */
function sentencePattern(sentence: string): RegExp {
  const parts = sentence
    .split(/\{[^}]*\}/)
    .map((part) => part.replaceAll(/[$()*+.?[\]^{|}\\]/g, '\\$&').replaceAll("'", "\\\\?'"))
  return new RegExp(
    `(?:['"\`>}]|^)\\s*${parts.join('(?:\\$?\\{[^{}]*\\}|\\{\\w+\\})')}\\s*(?:['"\`<{$\\\\]|$)`,
    'm',
  )
}

/** Returns the sentences that are in no test. A placeholder such as `{name}` matches up to 60
 *  characters. */
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

export function findProblems(
  sentences: string[],
  sources: [file: string, source: string][],
  exceptions: Record<string, string>,
): string[] {
  const codeByFile = sources.map(([file, source]) => [file, withoutComments(source)] as const)
  const filesWith = (sentence: string) =>
    codeByFile.filter(([, source]) => sentencePattern(sentence).test(source)).map(([file]) => file)
  return [
    ...sentences
      .filter((sentence) => !Object.hasOwn(exceptions, sentence))
      .flatMap((sentence) => {
        const files = filesWith(sentence)
        if (files.length === 1) return []
        return `"${sentence}" is in ${files.length === 0 ? 'no source file' : files.join(', ')}`
      }),
    ...Object.keys(exceptions)
      .filter((sentence) => !sentences.includes(sentence) || filesWith(sentence).length === 1)
      .map((sentence) => `"${sentence}" no longer needs to be an exception`),
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
  const specifiedSentences = findQuotes(read('docs/specification.md'))
  const moduleSentences = globSync('docs/modules/*.md').flatMap((page) =>
    findQuotedSentences(read(page)),
  )
  const sentences = [...new Set([...specifiedSentences, ...moduleSentences])]
  const tests = globSync(TESTS, { exclude: (path) => /node_modules|dist/.test(path) }).map(read)
  const problems = [
    ...findProblems(sentences, sources, EXCEPTIONS),
    ...untestedSentences([...new Set(specifiedSentences)], tests)
      .filter((sentence) => !Object.hasOwn(EXCEPTIONS, sentence))
      .map((sentence) => `"${sentence}" is in no test`),
  ]
  const exceptionCount = Object.keys(EXCEPTIONS).length
  console.log(
    problems.join('\n') ||
      `${sentences.length} sentences are in one file each, except for ${exceptionCount}`,
  )
  process.exitCode = problems.length > 0 ? 1 : 0
}
