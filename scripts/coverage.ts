/** Writes docs/COVERAGE.md: each sentence of the specification, with the tests that prove it. With --check it writes nothing
 *  and says whether it is up to date. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Proofs, PROOFS } from './coverage/proofs.ts'
import { type Sentence, sentencesOf } from './coverage/sentences.ts'

/** The source of each file of tests. */
type Tests = Record<string, string>

/** As a part of a regular expression that finds it in source code. */
const escaped = (title: string) =>
  title.replaceAll(/[$()*+.?[\]^{|}\\]/g, '\\$&').replaceAll("'", "\\\\?'")

/** The whole title of a test that begins so. */
export function titleIn(source: string, start: string): string | undefined {
  return new RegExp(`\\(\\s*(['"\`])(${escaped(start)}[^\\n]*?)(?<!\\\\)\\1[,)]`)
    .exec(source)?.[2]
    ?.replaceAll("\\'", "'")
}

/** The file and title of `e2e/landing: New Instructor Setup`, whose second part is how the title begins. */
function testNamed(name: string, tests: Tests) {
  const [path = '', start = ''] = name.split(/: (.*)/)
  const file = [`${path}.spec.ts`, `${path}.test.ts`].find((one) => Object.hasOwn(tests, one))
  const title = file && start && titleIn(tests[file]!, start)
  return title ? { file, title } : undefined
}

/** Whether a test runs only in `npm run test:long`. */
function isLong(name: string, tests: Tests) {
  const { file = '', title = '' } = testNamed(name, tests) ?? {}
  return new RegExp(`${escaped(title)}.,\\s*\\{ tag: '@long'`).test(tests[file] ?? '')
}

/** The tests that prove a sentence, or why none can. */
const proofOf = ({ section, text }: Sentence, proofs: Proofs) =>
  Object.entries(proofs[section] ?? {}).find(([start]) => text.startsWith(start))?.[1]

/** What is wrong with the proofs: sentences without one or with one only in the long run, proofs of nothing, tests that are not there. */
export function problemsWith(sentences: Sentence[], proofs: Proofs, tests: Tests): string[] {
  const unproven = sentences.filter((one) => !proofOf(one, proofs)?.length)
  const unsampled = sentences.filter((one) => {
    const proof = proofOf(one, proofs)
    return Array.isArray(proof) && proof.length > 0 && proof.every((name) => isLong(name, tests))
  })
  const idle = Object.entries(proofs).flatMap(([section, of]) =>
    Object.keys(of).filter(
      (start) => !sentences.some((one) => one.section === section && one.text.startsWith(start)),
    ),
  )
  const names = Object.values(proofs)
    .flatMap((of) => Object.values(of))
    .filter((proof) => Array.isArray(proof))
    .flat()
  return [
    ...unproven.map(({ section, text }) => `Not proven, in "${section}": ${text}`),
    ...unsampled.map(({ section, text }) => `Not proven in "npm test", in "${section}": ${text}`),
    ...idle.map((start) => `No sentence begins with "${start}"`),
    ...names
      .filter((name) => !testNamed(name, tests))
      .map((name) => `No test begins with "${name}"`),
  ]
}

const cell = (words: string) => words.replace(/^\| | \|$/g, '').replaceAll('|', '\\|')
const said = (name: string, tests: Tests) => {
  const { file, title } = testNamed(name, tests) ?? {}
  return `\`${file}\` ${title}`
}

export function coverageOf(sentences: Sentence[], proofs: Proofs, tests: Tests): string {
  const line = (one: Sentence) => {
    const proof = proofOf(one, proofs) ?? []
    const by = Array.isArray(proof)
      ? proof.map((name) => said(name, tests)).join('<br>')
      : `*Said, not tested:* ${proof}`
    return `| ${cell(one.text)} | ${cell(by)} |`
  }
  return [
    '# What proves the specification',
    'Written by `npm run coverage` from `scripts/coverage/`. `npm test` fails where a sentence has no proof, or a test is gone.',
    ...[...Map.groupBy(sentences, ({ section }) => section)].map(([section, of]) =>
      [
        `## ${section.replace(/^# /, '')}\n`,
        '| The specification says | Proven by |',
        '|---|---|',
        ...of.map(line),
      ].join('\n'),
    ),
  ].join('\n\n')
}

if (import.meta.main) {
  process.chdir(join(import.meta.dirname, '..'))
  const read = (file: string) => readFileSync(file, 'utf8')
  const files = globSync('{contract,server,web,e2e}/**/*.{test,spec}.ts', {
    exclude: (path) => path.includes('node_modules'),
  })
  const tests = Object.fromEntries(files.map((file) => [file, read(file)]))
  const sentences = sentencesOf(read('docs/specification.md'))
  const problems = problemsWith(sentences, PROOFS, tests)
  const coverage = `${coverageOf(sentences, PROOFS, tests)}\n`
  const isCheck = process.argv.includes('--check')
  if (!isCheck) writeFileSync('docs/COVERAGE.md', coverage)
  else if (read('docs/COVERAGE.md') !== coverage)
    problems.push('docs/COVERAGE.md is stale: run "npm run coverage"')
  console.log(
    problems.join('\n') ||
      `${sentences.length} sentences of the specification, each with its proof`,
  )
  process.exitCode = problems.length > 0 ? 1 : 0
}
