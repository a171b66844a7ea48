/** Checks the imports of each file against the rules below, `TIERS` and `ADAPTERS` (`npm run
 *  check`). */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The tiers of modules, from the bottom up. A module has the same name in `contract`, `server` and
 *  `web`. A file may import
 *  - from its own module,
 *  - from every module of a lower tier,
 *  - from another module of the same tier: only the file named after that module
 *    (`audit/audit.ts`), and never in a circle. Imports of types count, too.
 *
 *  Exceptions: modules of the platform may import each other. Every file may import every
 *  `tables.ts` and, outside the contract, the whole contract. Within the contract, modules of one
 *  tier may import any file of each other. Tests and files outside the modules (`app.ts`,
 *  `web/app`, `web/landing`, `server/demo`) may import everything. */
const TIERS: { name: string; modules: string[] }[] = [
  { name: 'platform', modules: ['lib', 'db', 'http', 'ui'] },
  { name: 'identity', modules: ['audit', 'dojos', 'accounts', 'pictures'] },
  { name: 'notices', modules: ['notifications'] },
  { name: 'people', modules: ['guardians', 'classes', 'texting', 'ledger', 'plans'] },
  { name: 'school', modules: ['calendar', 'belts', 'dues', 'documents', 'followups'] },
  {
    name: 'daily work',
    modules: [
      'attendance',
      'kiosk',
      'gradings',
      'families',
      'bookkeeping',
      'online-payment',
      'public-page',
      'trials',
      'exports',
      'backups',
    ],
  },
  { name: 'roster', modules: ['students', 'memberships', 'messages'] },
  {
    name: 'insight',
    modules: [
      'dashboard',
      'slipping-away',
      'import',
      'profile',
      'consent',
      'privacy',
      'sensei',
      'doctor',
      'leads',
    ],
  },
  { name: 'settings', modules: ['school', 'staff'] },
]
const PLATFORM = 0
/** The tier of files outside the modules. */
const APP = TIERS.length

/** Only the files in `adapters` may contain the pattern. A rule without a workspace applies to all
 *  workspaces. Comments and tests are not checked. */
const ADAPTERS = [
  {
    subject: 'fetch',
    workspace: 'web',
    pattern: /\bfetch\(/,
    adapters: ['web/lib/api.ts', 'web/lib/file-api.ts', 'web/documents/sign/requests.ts'],
  },
  {
    subject: 'Capacitor',
    workspace: 'web',
    pattern: /'@capacitor/,
    adapters: ['web/lib/native.ts'],
  },
  {
    subject: 'process.env',
    workspace: 'server',
    pattern: /\bprocess\.env\b/,
    adapters: ['server/env.ts'],
  },
  {
    subject: 'the time',
    workspace: 'server',
    pattern: /\bDate\.now\(|\bnew Date\(\)/,
    adapters: ['server/lib/clock.ts'],
  },
  {
    subject: 'arithmetic on days',
    pattern:
      /\.toISOString\(\)\.slice\(0, 10\)|\b[sg]etUTC(Day|Date|Month)\(|\bDate\.UTC\(|\b86_?400_?000\b/,
    adapters: ['contract/lib/calendar-day.ts'],
  },
  {
    subject: 'arithmetic on money',
    pattern:
      /\b(cents|dollars|amount|fee|price|owed|paid|received|cost|total)( \?\? 0)?\)* [*/] 100\b|\.toFixed\(2\)/i,
    adapters: ['contract/lib/money.ts'],
  },
  {
    subject: 'fastify',
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
    subject: 'prom-client',
    workspace: 'server',
    pattern: /'prom-client'/,
    adapters: ['server/metrics.ts'],
  },
  {
    subject: 'pg-boss',
    workspace: 'server',
    pattern: /'pg-boss'/,
    adapters: ['server/db/queue.ts'],
  },
  {
    subject: 'web-push',
    workspace: 'server',
    pattern: /'web-push'/,
    adapters: ['server/notifications/push-keys.ts', 'server/notifications/push-request.ts'],
  },
  {
    subject: 'anything but zod',
    workspace: 'contract',
    pattern: /\bfrom '(?!\.|zod')/,
    adapters: [],
  },
]

const isTest = (file: string) => /\.test\.tsx?$|^(server|contract)\/test\//.test(file)

type Location = { workspace: string; module: string; tier: number; isTables: boolean }

function locate(file: string): Location {
  const [workspace = '', folder = '', ...subfolders] = file.split('/')
  const location = { workspace, module: folder, isTables: basename(file) === 'tables.ts' }
  const isRightsFile = ['contract/rights.ts', 'contract/needed-rights.ts'].includes(file)
  if (workspace === 'postgres' || isRightsFile) return { ...location, tier: PLATFORM }
  const isInWorkspaceRoot = subfolders.length === 0 && workspace !== 'contract'
  const isOutsideModules =
    isInWorkspaceRoot || file === 'contract/api.ts' || ['app', 'demo', 'landing'].includes(folder)
  if (isTest(file) || isOutsideModules) return { ...location, tier: APP }
  return { ...location, tier: TIERS.findIndex(({ modules }) => modules.includes(folder)) }
}

const importsIn = (source: string): string[] =>
  [...source.matchAll(/\b(?:from|import) ?\(?'((?:\.|@tatami\/)[^']+)'/g)].map(
    ([, specifier = '']) => specifier,
  )

const resolveImport = (file: string, specifier: string): string =>
  specifier.startsWith('@tatami/')
    ? specifier.replace('@tatami/', '')
    : join(dirname(file), specifier)

const mayUseWorkspace = (workspace: string, target: string): boolean =>
  target === workspace ||
  (target === 'contract' && workspace !== 'postgres') ||
  (target === 'postgres' && workspace === 'server')

const isNamedAfterModule = (file: string): boolean =>
  basename(file).replace(/(\.module)?\.[a-z]+$/, '') === file.split('/')[1]

function isAllowed(importer: Location, importee: Location, importedFile: string): boolean {
  if (!mayUseWorkspace(importer.workspace, importee.workspace)) return false
  if (importer.tier === APP) return true
  if (importee.isTables) return true
  if (importee.workspace === 'contract' && importer.workspace !== 'contract') return true
  if (importer.isTables) return importee.tier === PLATFORM || importee.workspace === 'contract'
  if (importee.tier !== importer.tier) return importee.tier < importer.tier
  return (
    importee.module === importer.module ||
    importee.tier === PLATFORM ||
    importee.workspace === 'contract' ||
    isNamedAfterModule(importedFile)
  )
}

export function violationsIn(file: string, source: string): string[] {
  const importer = locate(file)
  if (importer.tier < 0) return [`${file}: ${dirname(file)} is not a module of any tier`]
  const refusedImports = importsIn(source).filter((specifier) => {
    const target = resolveImport(file, specifier)
    return !isAllowed(importer, locate(target), target)
  })
  const code = source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
  const bypassedAdapters = isTest(file)
    ? []
    : ADAPTERS.filter(
        ({ workspace = importer.workspace, pattern, adapters }) =>
          workspace === importer.workspace && !adapters.includes(file) && pattern.test(code),
      )
  return [
    ...refusedImports.map((specifier) => `${file} may not import ${specifier}`),
    ...bypassedAdapters.map(({ subject, adapters }) => {
      const hint = adapters.length > 0 ? `: its adapter is ${adapters.join(', ')}` : ''
      return `${file} may not use ${subject}${hint}`
    }),
  ]
}

function importsWithinTiers(sources: ReadonlyMap<string, string>): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>()
  for (const [file, source] of sources) {
    const importer = locate(file)
    if (importer.tier === PLATFORM || importer.tier === APP || importer.isTables) continue
    for (const specifier of importsIn(source)) {
      const target = locate(resolveImport(file, specifier))
      const isSameTier = target.workspace === importer.workspace && target.tier === importer.tier
      if (!isSameTier || target.isTables || target.module === importer.module) continue
      const module = `${importer.workspace}/${importer.module}`
      const importedModules = imports.get(module) ?? new Set()
      imports.set(module, importedModules.add(`${target.workspace}/${target.module}`))
    }
  }
  return imports
}

export function findCircularImports(sources: ReadonlyMap<string, string>): string[] {
  const imports = importsWithinTiers(sources)
  const hasImported = (module: string, goal: string, visitedModules = new Set<string>()): boolean =>
    [...(imports.get(module) ?? [])].some((importedModule) => {
      if (importedModule === goal) return true
      if (visitedModules.has(importedModule)) return false
      return hasImported(importedModule, goal, visitedModules.add(importedModule))
    })
  return [...imports]
    .filter(([module]) => hasImported(module, module))
    .map(([module, importedModules]) => {
      const path = [...importedModules].join(', ')
      return `${module} imports itself through ${path}`
    })
}

if (import.meta.main) {
  const files = globSync('{contract,postgres,server,web}/**/*.{ts,tsx}', {
    exclude: (path) => /node_modules|dist/.test(path),
  }).filter((file) => !file.endsWith('.config.ts'))
  const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const violations = [
    ...[...sources].flatMap(([file, source]) => violationsIn(file, source)),
    ...findCircularImports(sources),
  ]
  console.log(violations.join('\n') || `${files.length} files follow the rules for imports`)
  process.exitCode = violations.length > 0 ? 1 : 0
}
