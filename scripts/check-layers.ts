/** Which way imports may go, and which file is the adapter of each external thing. Read the three tables; the rest is plumbing. */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** A file may import from its own layer and those below it, in its own workspace or in the contract. Tables are a layer of their own:
 *  any module may read another's tables, and tables may refer to each other, while functions are called downwards only. */
const LAYERS = ['infrastructure', 'tables', 'module', 'app'] as const
const [TABLES, MODULE, APP] = [
  LAYERS.indexOf('tables'),
  LAYERS.indexOf('module'),
  LAYERS.indexOf('app'),
]

/** The folders of a workspace that know no module. */
const INFRASTRUCTURE = ['http', 'db', 'lib', 'ui']

/** A module may import the modules before it, never one after it. */
const MODULES = [
  'audit',
  'dojos',
  'accounts',
  // A file of the contract alone.
  'users',
  'notifications',
  'backups',
  'privacy',
  'classes',
  // What takes place on which day, which families see, too.
  'timetable',
  // A file of the contract alone.
  'class-date-words',
  // The ranks that students hold, which families see, too.
  'belt-history',
  'prices',
  'families',
  'class-dates',
  'excuses',
  'announcements',
  'texting',
  'exports',
  'belts',
  'students',
  'slipping-away',
  // Screens for what takes place on which day, and the texts about it.
  'dated-classes',
  'attendance',
  'payments',
  'bookkeeping',
  'gradings',
  'calendar-feeds',
  'import',
  'consent',
  'sensei',
  // A file of the contract alone.
  'join',
  'profile',
  'kiosk',
  'sign-in',
  'dashboard',
  'doctor',
  'landing',
]

/** What only its adapter may use. Tests are free. */
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
    adapters: ['contract/calendar-day.ts'],
  },
  {
    thing: 'arithmetic on money',
    pattern:
      /\b(cents|dollars|amount|fee|price|owed|paid|received|cost|total)( \?\? 0)?\)* [*/] 100\b|\.toFixed\(2\)/i,
    adapters: ['contract/money.ts'],
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

const isTest = (file: string) => /\.test\.tsx?$|^server\/test\//.test(file)

function placeOf(file: string) {
  const [workspace = '', folder = '', ...rest] = file.split('/')
  const inContract = workspace === 'contract'
  const place = inContract ? basename(folder, '.ts') : folder
  const order = MODULES.indexOf(place)
  const isApp =
    isTest(file) ||
    (inContract
      ? place === 'api'
      : workspace !== 'postgres' && (rest.length === 0 || place === 'app'))
  const isInfrastructure =
    workspace === 'postgres' || (inContract ? order < 0 : INFRASTRUCTURE.includes(place))
  const isTables = rest.join() === 'tables.ts'
  const layer = isApp ? 'app' : isInfrastructure ? 'infrastructure' : isTables ? 'tables' : 'module'
  const inModule = layer === 'module' || layer === 'tables'
  return {
    workspace,
    layer: LAYERS.indexOf(layer),
    order: inModule ? order : 0,
    isUnknown: inModule && order < 0,
  }
}

const target = (file: string, specifier: string) =>
  specifier.startsWith('@tatami/')
    ? specifier.replace('@tatami/', '')
    : join(dirname(file), specifier)

/** Whether a file of `workspace` may import anything of `other`. */
const mayUse = (workspace: string, other: string) =>
  other === workspace ||
  (other === 'contract' && workspace !== 'postgres') ||
  (other === 'postgres' && workspace === 'server')

/** What is wrong with where `file` is, what it imports and what it uses; one sentence each. */
export function violationsIn(file: string, source: string): string[] {
  const here = placeOf(file)
  if (here.isUnknown) return [`${file}: ${dirname(file)} is neither infrastructure nor a module`]
  // Types of the contract are free: they are gone before the code runs.
  const imports = [
    ...source
      .replace(/^import type [^']*'@tatami\/contract\/[^']+'/gm, '')
      .matchAll(/\b(?:from|import) ?\(?'((?:\.|@tatami\/)[^']+)'/g),
  ].map(([, specifier = '']) => specifier)
  const forbidden = imports.filter((specifier) => {
    const there = placeOf(target(file, specifier))
    const inOrder = there.order <= here.order || here.layer === TABLES
    const isOwnContract =
      there.workspace === 'contract' && there.layer === MODULE && here.layer < APP
    const isDownwards = isOwnContract
      ? inOrder
      : there.layer < here.layer || (there.layer === here.layer && inOrder)
    return !mayUse(here.workspace, there.workspace) || !isDownwards
  })
  const code = source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
  const bypassed = isTest(file)
    ? []
    : ADAPTERS.filter(
        ({ workspace = here.workspace, pattern, adapters }) =>
          workspace === here.workspace && !adapters.includes(file) && pattern.test(code),
      )
  return [
    ...forbidden.map((specifier) => `${file} may not import ${specifier}`),
    ...bypassed.map(
      ({ thing, adapters }) =>
        `${file} may not use ${thing}${adapters.length > 0 ? `: its adapter is ${adapters.join(', ')}` : ''}`,
    ),
  ]
}

if (import.meta.main) {
  const files = globSync('{contract,postgres,server,web}/**/*.{ts,tsx}', {
    exclude: (path) => /node_modules|dist/.test(path),
  }).filter((file) => !file.endsWith('.config.ts'))
  const violations = files.flatMap((file) => violationsIn(file, readFileSync(file, 'utf8')))
  console.log(violations.join('\n') || `${files.length} files import in the right direction`)
  process.exitCode = violations.length > 0 ? 1 : 0
}
