/** Where a file may be, and what it may import. The two tables are the rules. */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The tiers of modules, from the bottom up; a module has the same name in `contract`, `server` and
 *  `web`. A file may import
 *  - from its own module,
 *  - from every module of a lower tier,
 *  - from another module of its own tier only the file that bears that module's name
 *    (`audit/audit.ts`), never in a circle, types included. The platform is free of these rules.
 *    Every `tables.ts` and the contract may be read by all: facts are shared, functions are called
 *    downwards. Within the contract only the tiers count. Tests and files outside the modules
 *    (`app.ts`, `web/app`, `web/landing`, `server/demo`) may import everything. */
const TIERS: { name: string; modules: string[] }[] = [
  { name: 'platform', modules: ['lib', 'db', 'http', 'ui'] },
  { name: 'identity', modules: ['audit', 'dojos', 'accounts'] },
  { name: 'notices', modules: ['notifications'] },
  { name: 'people', modules: ['guardians', 'classes', 'texting', 'ledger'] },
  { name: 'school', modules: ['calendar', 'belts', 'dues'] },
  {
    name: 'daily work',
    modules: [
      ...['attendance', 'kiosk', 'gradings', 'families', 'bookkeeping'],
      ...['exports', 'backups'],
    ],
  },
  { name: 'roster', modules: ['students', 'messages'] },
  {
    name: 'insight',
    modules: [
      ...['dashboard', 'slipping-away', 'import', 'profile', 'consent', 'privacy'],
      ...['sensei', 'doctor'],
    ],
  },
]
const PLATFORM = 0
const APP = TIERS.length

/** What only its adapter may use. Tests may, too. */
const ADAPTERS = [
  {
    thing: 'fetch',
    workspace: 'web',
    pattern: /\bfetch\(/,
    adapters: ['web/lib/api.ts', 'web/lib/file-api.ts'],
  },
  { thing: 'Capacitor', workspace: 'web', pattern: /'@capacitor/, adapters: ['web/lib/native.ts'] },
  {
    thing: 'process.env',
    workspace: 'server',
    pattern: /\bprocess\.env\b/,
    adapters: ['server/env.ts'],
  },
  {
    thing: 'the time',
    workspace: 'server',
    pattern: /\bDate\.now\(|\bnew Date\(\)/,
    adapters: ['server/lib/clock.ts'],
  },
  {
    thing: 'arithmetic on days',
    pattern:
      /\.toISOString\(\)\.slice\(0, 10\)|\b[sg]etUTC(Day|Date|Month)\(|\bDate\.UTC\(|\b86_?400_?000\b/,
    adapters: ['contract/lib/calendar-day.ts'],
  },
  {
    thing: 'arithmetic on money',
    pattern:
      /\b(cents|dollars|amount|fee|price|owed|paid|received|cost|total)( \?\? 0)?\)* [*/] 100\b|\.toFixed\(2\)/i,
    adapters: ['contract/lib/money.ts'],
  },
  {
    thing: 'fastify',
    workspace: 'server',
    pattern: /\bimport (?!type )[^']*'fastify'/,
    adapters: [
      'server/app.ts',
      'server/http/request-log.ts',
      'server/http/serve.ts',
      'server/http/static-files.ts',
    ],
  },
  {
    thing: 'prom-client',
    workspace: 'server',
    pattern: /'prom-client'/,
    adapters: ['server/metrics.ts'],
  },
  { thing: 'pg-boss', workspace: 'server', pattern: /'pg-boss'/, adapters: ['server/db/queue.ts'] },
  {
    thing: 'web-push',
    workspace: 'server',
    pattern: /'web-push'/,
    adapters: ['push-keys', 'push-request'].map((name) => `server/notifications/${name}.ts`),
  },
  {
    thing: 'anything but zod',
    workspace: 'contract',
    pattern: /\bfrom '(?!\.|zod')/,
    adapters: [],
  },
]

const isTest = (file: string) => /\.test\.tsx?$|^(server|contract)\/test\//.test(file)

type Place = { workspace: string; module: string; tier: number; isTables: boolean }

function placeOf(file: string): Place {
  const [workspace = '', folder = '', ...subfolders] = file.split('/')
  const place = { workspace, module: folder, isTables: basename(file) === 'tables.ts' }
  if (workspace === 'postgres') return { ...place, tier: PLATFORM }
  if (
    isTest(file) ||
    (subfolders.length === 0 && workspace !== 'contract') ||
    file === 'contract/api.ts' ||
    ['app', 'demo', 'landing'].includes(folder)
  )
    return { ...place, tier: APP }
  return { ...place, tier: TIERS.findIndex(({ modules }) => modules.includes(folder)) }
}

const importsIn = (source: string): string[] =>
  [...source.matchAll(/\b(?:from|import) ?\(?'((?:\.|@tatami\/)[^']+)'/g)].map(
    ([, specifier = '']) => specifier,
  )

const targetOf = (file: string, specifier: string): string =>
  specifier.startsWith('@tatami/')
    ? specifier.replace('@tatami/', '')
    : join(dirname(file), specifier)

const mayUse = (workspace: string, target: string): boolean =>
  target === workspace ||
  (target === 'contract' && workspace !== 'postgres') ||
  (target === 'postgres' && workspace === 'server')

const bearsModuleName = (file: string): boolean =>
  basename(file).replace(/(\.module)?\.[a-z]+$/, '') === file.split('/')[1]

function isAllowed(importer: Place, importee: Place, target: string): boolean {
  if (!mayUse(importer.workspace, importee.workspace)) return false
  if (importer.tier === APP) return true
  if (importee.isTables) return true
  if (importee.workspace === 'contract' && importer.workspace !== 'contract') return true
  if (importer.isTables) return importee.tier === PLATFORM || importee.workspace === 'contract'
  if (importee.tier !== importer.tier) return importee.tier < importer.tier
  return (
    importee.module === importer.module ||
    importee.tier === PLATFORM ||
    importee.workspace === 'contract' ||
    bearsModuleName(target)
  )
}

export function violationsIn(file: string, source: string): string[] {
  const importer = placeOf(file)
  if (importer.tier < 0) return [`${file}: ${dirname(file)} is no module of any tier`]
  const forbidden = importsIn(source).filter((specifier) => {
    const target = targetOf(file, specifier)
    return !isAllowed(importer, placeOf(target), target)
  })
  const code = source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
  const bypassedAdapters = isTest(file)
    ? []
    : ADAPTERS.filter(
        ({ workspace = importer.workspace, pattern, adapters }) =>
          workspace === importer.workspace && !adapters.includes(file) && pattern.test(code),
      )
  return [
    ...forbidden.map((specifier) => `${file} may not import ${specifier}`),
    ...bypassedAdapters.map(
      ({ thing, adapters }) =>
        `${file} may not use ${thing}${adapters.length > 0 ? `: its adapter is ${adapters.join(', ')}` : ''}`,
    ),
  ]
}

export function circlesIn(sources: ReadonlyMap<string, string>): string[] {
  const uses = new Map<string, Set<string>>()
  for (const [file, source] of sources) {
    const importer = placeOf(file)
    if (importer.tier === PLATFORM || importer.tier === APP || importer.isTables) continue
    for (const specifier of importsIn(source)) {
      const target = placeOf(targetOf(file, specifier))
      if (
        target.workspace !== importer.workspace ||
        target.isTables ||
        target.tier !== importer.tier
      )
        continue
      if (target.module === importer.module) continue
      const module = `${importer.workspace}/${importer.module}`
      uses.set(module, (uses.get(module) ?? new Set()).add(`${target.workspace}/${target.module}`))
    }
  }
  const reaches = (start: string, goal: string, visitedModules = new Set<string>()): boolean =>
    [...(uses.get(start) ?? [])].some((module) => {
      if (module === goal) return true
      if (visitedModules.has(module)) return false
      visitedModules.add(module)
      return reaches(module, goal, visitedModules)
    })
  return [...uses.keys()]
    .filter((module) => reaches(module, module))
    .map((module) => `${module} imports itself through ${[...uses.get(module)!].join(', ')}`)
}

if (import.meta.main) {
  const files = globSync('{contract,postgres,server,web}/**/*.{ts,tsx}', {
    exclude: (path) => /node_modules|dist/.test(path),
  }).filter((file) => !file.endsWith('.config.ts'))
  const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const violations = [
    ...[...sources].flatMap(([file, source]) => violationsIn(file, source)),
    ...circlesIn(sources),
  ]
  console.log(violations.join('\n') || `${files.length} files import in the right direction`)
  process.exitCode = violations.length > 0 ? 1 : 0
}
