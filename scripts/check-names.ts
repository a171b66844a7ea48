/**
 * Names of variables, parameters, functions and types are nouns, verbs or `is…` and `has…`: none is
 * a bare pronoun, determiner, participle, preposition or adverb. A name that only picks a field of
 * the same name from an object, as in `const { from } = query`, is the field's.
 */
import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'

const BARE_WORDS = new Set(
  `all another any anybody anyone anything both each either every everybody everyone everything few
  he her here him his it its many me mine more most much my neither nobody none nothing one ones
  other others our own same she some somebody someone something such that their them there these
  they those us we what whatever which who whoever whom whose you your
  about above across after against along among around as at before behind below beneath beside
  besides between beyond by during except for from in inside into near of off on onto out outside
  over past per since than through till to toward under until up upon via when where with within
  without again ago almost already also always anew else enough ever just least less maybe never
  no not often only quite rather so soon still then thus together too twice very yes yet
  begun bought brought built caught chosen come done drawn fallen felt forgotten found given gone
  held hidden kept known laid learned led left lent lost made meant met missing paid
  said seen sent shown sold spent spoken spoiled stood taken taught thought told torn understood
  unknown unpaid withdrawn won written rest`.split(/\s+/),
)
const NO_PARTICIPLES = new Set(['embed', 'expected', 'feed', 'need', 'seed', 'shed', 'speed'])

const saysTooLittle = (name: string): boolean => {
  const word = name.toLowerCase()
  if (BARE_WORDS.has(word)) return true
  return /^([A-Z]?[a-z]+ed|[A-Z]+ED)$/.test(name) && !NO_PARTICIPLES.has(word)
}
type Node = { type: string; start: number; [key: string]: unknown }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

/** The identifiers that a pattern declares, but for fields that are picked by their own name. */
function* declaredIn(pattern: unknown): Generator<{ name: string; start: number }> {
  if (!isNode(pattern)) return
  if (pattern.type === 'Identifier') yield pattern as never
  else if (pattern.type === 'ArrayPattern')
    for (const element of pattern['elements'] as unknown[]) yield* declaredIn(element)
  else if (pattern.type === 'ObjectPattern') {
    for (const property of pattern['properties'] as Node[])
      if (property.type === 'RestElement') yield* declaredIn(property['argument'])
      else if (!property['shorthand']) yield* declaredIn(property['value'])
  } else yield* declaredIn(pattern['left'] ?? pattern['argument'] ?? pattern['parameter'])
}

function* declaredNames(node: unknown): Generator<{ name: string; start: number }> {
  if (Array.isArray(node)) for (const child of node) yield* declaredNames(child)
  if (!isNode(node)) return
  if ('id' in node) yield* declaredIn(node['id'])
  if (Array.isArray(node['params']) && !node.type.startsWith('TS'))
    for (const parameter of node['params']) yield* declaredIn(parameter)
  for (const [key, child] of Object.entries(node)) if (key !== 'id') yield* declaredNames(child)
}

export function bareNames(source: string, lang: 'ts' | 'tsx' = 'ts'): string[] {
  return [...declaredNames(parseAst(source, { lang }))]
    .filter(({ name }) => saysTooLittle(name))
    .map(({ name, start }) => {
      const lines = source.slice(0, start).split('\n')
      return `${lines.length}:${lines.at(-1)!.length + 1}: ${name}`
    })
}

if (import.meta.main) {
  const folders = process.argv.slice(2)
  const files = globSync(
    folders.length > 0
      ? folders.map((folder) => `${folder}/**/*.{ts,tsx}`)
      : '{bench,contract,deploy,e2e,postgres,scripts,server,web}/**/*.{ts,tsx}',
    { exclude: ['**/node_modules/**', '**/dist/**'] },
  )
  const problems = files.flatMap((file) =>
    bareNames(readFileSync(file, 'utf8'), file.endsWith('x') ? 'tsx' : 'ts').map(
      (name) => `${file}:${name}`,
    ),
  )
  for (const problem of problems) console.error(`${problem} says too little: name what it holds`)
  console.log(`${files.length} files, ${problems.length} names that say too little`)
  if (problems.length > 0) process.exitCode = 1
}
