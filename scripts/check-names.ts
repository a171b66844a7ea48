/** Reports names of variables, parameters, functions and types that say too little: a bare pronoun,
 *  determiner, participle, preposition or adverb. Names are nouns, verbs, or begin with `is` or
 *  `has`. Also reports a state setter that does not begin with `set`. A name that only picks a
 *  field from an object, as in `const { from } = query`, is not checked. */
import { globSync, readFileSync } from 'node:fs'
import { type ESTree, parseSync, Visitor } from 'vite'

const FOLDERS = ['bench', 'contract', 'deploy', 'e2e', 'postgres', 'scripts', 'server', 'web']
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
const NON_PARTICIPLES = new Set(['embed', 'expected', 'feed', 'need', 'seed', 'shed', 'speed'])
type Identifier = { name: string; start: number }
type Pattern = ESTree.ParamPattern | ESTree.BindingProperty | null
type Declaration = { id: Pattern; params?: Pattern[] }

const saysTooLittle = ({ name }: Identifier) =>
  BARE_WORDS.has(name.toLowerCase()) ||
  (/^([A-Z]?[a-z]+ed|[A-Z]+ED)$/.test(name) && !NON_PARTICIPLES.has(name.toLowerCase()))

function namesIn(pattern: Pattern): Identifier[] {
  if (!pattern) return []
  if (pattern.type === 'Identifier') return [pattern]
  if (pattern.type === 'AssignmentPattern') return namesIn(pattern.left)
  if (pattern.type === 'RestElement') return namesIn(pattern.argument)
  if (pattern.type === 'TSParameterProperty') return namesIn(pattern.parameter)
  if (pattern.type === 'Property') return pattern.shorthand ? [] : namesIn(pattern.value)
  return (pattern.type === 'ArrayPattern' ? pattern.elements : pattern.properties).flatMap(namesIn)
}

export function findVagueNames(source: string, file = 'source.ts'): string[] {
  const identifiers: Identifier[] = []
  const setters: Identifier[] = []
  const addNames = ({ id, params = [] }: Declaration) =>
    void identifiers.push(...[id, ...params].flatMap(namesIn))
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      addNames({ id })
      if (id.type === 'ArrayPattern' && source.startsWith('useState', init?.start))
        setters.push(...namesIn(id.elements[1] ?? null))
    },
    FunctionDeclaration: addNames,
    FunctionExpression: addNames,
    ArrowFunctionExpression: addNames,
    ClassDeclaration: addNames,
    TSTypeAliasDeclaration: addNames,
    TSInterfaceDeclaration: addNames,
  }).visit(parseSync(file, source).program)
  return [
    ...identifiers.filter(saysTooLittle),
    ...setters.filter(({ name }) => !/^set[A-Z]/.test(name)),
  ].map(({ name, start }) => {
    const line = source.slice(0, start).split('\n').length
    return `${line}:${start - source.lastIndexOf('\n', start - 1)}: ${name}`
  })
}

if (import.meta.main) {
  const folders = process.argv.length > 2 ? process.argv.slice(2) : FOLDERS
  const files = folders.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx}`, { exclude: ['**/node_modules/**', '**/dist/**'] }),
  )
  const problems = files.flatMap((file) =>
    findVagueNames(readFileSync(file, 'utf8'), file).map((name) => `${file}:${name}`),
  )
  for (const problem of problems) console.error(`${problem} says too little: name what it holds`)
  console.log(`${files.length} files, ${problems.length} names that say too little`)
  process.exitCode = problems.length > 0 ? 1 : 0
}
