/** The floors of the house, and who keeps each outside thing. Read the three tables; the rest is plumbing. */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** A file may import its own floor and those below it, in its own room or in the contract. Tables are a floor of their own:
 *  any noun may read what another keeps, while verbs are called downwards only. */
const FLOORS = ['kernel', 'tables', 'noun', 'app'] as const
const [NOUN, APP] = [FLOORS.indexOf('noun'), FLOORS.indexOf('app')]

/** A noun may know the nouns before it, never one after it. */
const NOUNS = [
  'audit',
  'dojos',
  'accounts',
  'notifications',
  'messages',
  'classes',
  'students',
  'attendance',
  'payments',
  'announcements',
  'consent',
  'sensei',
  'profile',
  'dashboard',
  'landing',
]

/** What only one file, or very few, may touch. Tests are free. */
const KEEPERS = [
  { thing: 'fetch', room: 'web', sign: /\bfetch\(/, kept: ['web/kernel/api.ts'] },
  { thing: 'Capacitor', room: 'web', sign: /'@capacitor/, kept: ['web/kernel/native.ts'] },
  { thing: 'process.env', room: 'server', sign: /\bprocess\.env\b/, kept: ['server/env.ts'] },
  { thing: 'the time', room: 'server', sign: /\bDate\.now\(|\bnew Date\(\)/, kept: ['server/kernel/clock.ts'] },
  {
    thing: 'fastify',
    room: 'server',
    sign: /\bimport (?!type )[^']*'fastify'/,
    kept: ['server/app.ts', 'server/kernel/serve.ts', 'server/kernel/static.ts'],
  },
  { thing: 'pg-boss', room: 'server', sign: /'pg-boss'/, kept: ['server/kernel/queue.ts'] },
  {
    thing: 'web-push',
    room: 'server',
    sign: /'web-push'/,
    kept: ['push-keys', 'push-request'].map((name) => `server/notifications/${name}.ts`),
  },
  { thing: 'anything but zod', room: 'contract', sign: /\bfrom '(?!\.|zod')/, kept: [] },
]

const isTest = (file: string) => /\.test\.tsx?$|^server\/test\//.test(file)

function placeOf(file: string) {
  const [room = '', folder = '', ...rest] = file.split('/')
  const inContract = room === 'contract'
  const place = inContract ? basename(folder, '.ts') : folder
  const order = NOUNS.indexOf(place)
  const isApp = isTest(file) || (inContract ? place === 'api' : rest.length === 0)
  const isKernel = inContract ? order < 0 : ['kernel', 'ui'].includes(place)
  const isTables = rest.join() === 'tables.ts'
  const floor = isApp ? 'app' : isKernel ? 'kernel' : isTables ? 'tables' : 'noun'
  const isNoun = floor === 'noun' || floor === 'tables'
  return { room, floor: FLOORS.indexOf(floor), order: isNoun ? order : 0, isNowhere: isNoun && order < 0 }
}

const target = (file: string, spec: string) => (spec.startsWith('@tatami/') ? spec.replace('@tatami/', '') : join(dirname(file), spec))

/** What is wrong with where `file` stands, what it imports and what it touches; one sentence each. */
export function complaintsAbout(file: string, source: string): string[] {
  const here = placeOf(file)
  if (here.isNowhere) return [`${file}: ${dirname(file)} is neither the kernel nor a noun of the house`]
  const imports = [...source.matchAll(/\b(?:from|import) ?\(?'((?:\.|@tatami\/)[^']+)'/g)].map(([, spec = '']) => spec)
  const climbs = imports.filter((spec) => {
    const there = placeOf(target(file, spec))
    const nearby = there.room === here.room || there.room === 'contract'
    const inOrder = there.order <= here.order
    const agreed = there.room === 'contract' && there.floor === NOUN && here.floor < APP
    const downhill = agreed ? inOrder : there.floor < here.floor || (there.floor === here.floor && inOrder)
    return !nearby || !downhill
  })
  const code = source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
  const grabs = isTest(file) ? [] : KEEPERS.filter(({ room, sign, kept }) => room === here.room && !kept.includes(file) && sign.test(code))
  return [
    ...climbs.map((spec) => `${file} may not import ${spec}`),
    ...grabs.map(({ thing, kept }) => `${file} may not touch ${thing}${kept.length > 0 ? `: that is for ${kept.join(', ')}` : ''}`),
  ]
}

if (import.meta.main) {
  const files = globSync('{contract,server,web}/**/*.{ts,tsx}', { exclude: (path) => /node_modules|dist/.test(path) }).filter(
    (file) => !file.endsWith('.config.ts'),
  )
  const complaints = files.flatMap((file) => complaintsAbout(file, readFileSync(file, 'utf8')))
  console.log(complaints.join('\n') || `${files.length} files stand where they belong`)
  process.exitCode = complaints.length > 0 ? 1 : 0
}
