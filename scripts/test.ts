/** The one test command. Every stage runs, and the last line sums them up. `npm test -- lint
 *  vitest` runs the named stages. CONTRIBUTING.md describes `npm run test:long`. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { findPostgres15 } from '../server/test/postgres-15.ts'
import { findProgram, missingClusterPackages } from './programs.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import {
  readPlaywrightReport,
  readVitestReport,
  type StageResult,
  summaryLine,
  withExitStatus,
} from './test-reports.ts'

const root = join(import.meta.dirname, '..')

const IN_MEMORY = '/dev/shm',
  MEMORY_NEEDED = 8 * 2 ** 30,
  TMPFS = 0x01021994
function hasMemory(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(IN_MEMORY)
    return type === TMPFS && bavail * bsize > MEMORY_NEEDED && freemem() > MEMORY_NEEDED
  } catch {
    return false
  }
}
const temporary = mkdtempSync(join(hasMemory() ? IN_MEMORY : tmpdir(), 'tatami-'))
chmodSync(temporary, 0o1777)
const KILL_AFTER_MS = 20_000
const isLong = Boolean(process.env.LONG)
const LONG_TIMEOUT_FACTOR = 4
const LAST_LINES = 40

type Environment = { variables: Record<string, string> } | { skipReason: string }

type Stage = {
  name: string
  command: string[]
  timeoutMinutes: number
  report?: { file: string; read: (json: never) => StageResult }
  environment?: () => Environment
}

function vitest(name: string, timeoutMinutes: number, ...args: string[]): Stage {
  const file = join(temporary, `${name}.json`)
  return {
    name,
    command: [
      'vitest',
      'run',
      '--allowOnly=false',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...args,
    ],
    timeoutMinutes,
    report: { file, read: readVitestReport },
  }
}

const WITHOUT_DATABASE = [
  'server/{kill,database-faults,disk-faults,main,env,operations}.test.ts',
  'server/backups/drill.test.ts',
  'server/exports/large-dojo.test.ts',
  'server/db/cache.test.ts',
  'server/http/{reply-filter,static-files,api-reference}.test.ts',
]

const DATABASE_SAMPLE = [
  ...['database', 'migrate'].map((name) => `db/${name}`),
  ...['entities', 'grants', 'tenancy'].map((name) => `test/${name}`),
  'exports/exports',
].map((name) => `server/${name}.test.ts`)
const GIVEN_DATABASE = 'server/given-database.test.ts'

const excludeTests = (files: string[], environment: Environment): Environment =>
  'variables' in environment && files.length > 0
    ? { variables: { ...environment.variables, TEST_EXCLUDE: files.join(':') } }
    : environment

/** The server's tests on another PostgreSQL or login: a sample, or all of them in the long run. */
const onDatabase = (name: string, environment: () => Environment): Stage => ({
  ...vitest(name, 20, '--project=server', ...(isLong ? [] : [GIVEN_DATABASE, ...DATABASE_SAMPLE])),
  environment: () => excludeTests(WITHOUT_DATABASE, environment()),
})
function runApt(...args: string[]): boolean {
  // At this run level Debian's package does not start a cluster of its own.
  const aptEnv = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const options = ['-q', '-o', 'DPkg::Lock::Timeout=120', ...args]
  return spawnSync('apt-get', options, { stdio: 'inherit', env: aptEnv }).status === 0
}
const installPostgres15 = (): boolean =>
  process.getuid?.() === 0 && runApt('update') && runApt('install', '-y', 'postgresql-15')

const onPostgres15 = (variables: Record<string, string>) => (): Environment => {
  const bin = findPostgres15() ?? (installPostgres15() ? findPostgres15() : undefined)
  return bin
    ? { variables: { TEST_POSTGRES_BIN: bin, ...variables } }
    : {
        skipReason:
          "Debian's PostgreSQL 15 is not here: install postgresql-15 to run these tests " +
          'on it, too.',
      }
}
const asOwner = { TEST_SERVE_AS: 'owner' }

const SERVER: Stage = {
    ...vitest('vitest', 20),
    environment: () => excludeTests(isLong ? [] : [GIVEN_DATABASE], { variables: {} }),
  },
  ON_POSTGRES_15 = onDatabase('postgres-15', onPostgres15(asOwner))

const BROWSER: Stage = {
  name: 'browser',
  command: ['playwright', 'test', '--forbid-only', '--reporter=list,json'],
  timeoutMinutes: 35,
  environment: () => ({ variables: { E2E_SAMPLE: isLong ? '' : '1' } }),
  report: { file: join(temporary, 'playwright.json'), read: readPlaywrightReport },
}

const unlessMissing = (
  packages: readonly string[],
  reason: string,
  variables: Record<string, string> = {},
): Environment =>
  packages.length > 0 ? { skipReason: `${reason}: ${packages.join(' ')}.` } : { variables }
const missingPrograms = (...names: string[]) => names.filter((name) => !findProgram(name))

const FAILOVER: Stage = {
  name: 'failover',
  command: ['node', 'deploy/cluster/failover.ts', '4'],
  timeoutMinutes: 5,
  environment: () =>
    unlessMissing(
      missingClusterPackages(),
      'The failovers of a cluster need these Debian packages',
      {
        CLUSTER_DIR: join(tmpdir(), 'tatami-failover'),
      },
    ),
}

const SCAN: Stage = {
  name: 'scan',
  command: ['node', 'scripts/scan.ts'],
  timeoutMinutes: 8,
  environment: () =>
    unlessMissing(missingPrograms('sqlmap', 'wapiti'), 'The scan needs these Debian packages'),
}

const DEPLOY: Stage = {
  name: 'deploy',
  command: ['node', 'deploy/try.ts'],
  timeoutMinutes: 4,
  environment: () =>
    unlessMissing(
      missingPrograms('caddy', 'promtool', 'logrotate', 'systemd-analyze'),
      'Trying deploy/ needs these programs (Debian: caddy, prometheus, logrotate, systemd)',
    ),
}

/** Stages of a group run side by side, groups one after the other. */
const GROUPS: Stage[][] = [
  [
    { name: 'types', command: ['tsc'], timeoutMinutes: 2 },
    { name: 'lint', command: ['oxlint', '--deny-warnings'], timeoutMinutes: 2 },
    { name: 'format', command: ['oxfmt', '--check', '.'], timeoutMinutes: 1 },
    { name: 'layers', command: ['node', 'scripts/check-layers.ts'], timeoutMinutes: 1 },
    { name: 'words', command: ['node', 'scripts/check-words.ts'], timeoutMinutes: 1 },
    { name: 'names', command: ['node', 'scripts/check-names.ts'], timeoutMinutes: 1 },
    { name: 'bundle size', command: ['node', 'scripts/check-bundle-size.ts'], timeoutMinutes: 1 },
  ],
  // The samples mostly wait for their databases; two full runs at once would be too slow.
  ...(isLong ? [[SERVER], [ON_POSTGRES_15]] : [[SERVER, ON_POSTGRES_15]]),
  [BROWSER],
]
const LONG_GROUPS: Stage[][] = [
  [onDatabase('postgres-15-app', onPostgres15({}))],
  [onDatabase('postgres-18-owner', () => ({ variables: asOwner }))],
  [FAILOVER],
  [SCAN],
  [DEPLOY],
]

const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
  TMPDIR: temporary,
  PLAYWRIGHT_JSON_OUTPUT_FILE: join(temporary, 'playwright.json'),
  // `npm start` sets it, too. A hundred processes start from the same sources.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
}
const running = new Set<ChildProcess>()

// Children lead process groups, so that a Ctrl+C reaches each only once and hanging ones can be
// killed whole.
function stop(child: ChildProcess, signal: NodeJS.Signals) {
  child.kill(signal)
  setTimeout(() => {
    try {
      process.kill(-mustExist(child.pid, 'The process'), 'SIGKILL')
    } catch {
      /** The group has already ended. */
    }
  }, KILL_AFTER_MS).unref()
}

function start(
  { name, command: [program = '', ...args] }: Stage,
  variables: Record<string, string>,
  isAlone: boolean,
  lastLines: string[],
): ChildProcess {
  const output = isAlone ? 'inherit' : 'pipe'
  const child = spawn(program, args, {
    cwd: root,
    env: { ...env, ...variables },
    stdio: ['ignore', output, output],
    detached: true,
  })
  for (const stream of [child.stdout, child.stderr])
    if (stream)
      createInterface({ input: stream }).on('line', (line) => {
        console.log(`${name.padEnd(12)} ${line}`)
        lastLines.push(line)
        if (lastLines.length > LAST_LINES) lastLines.shift()
      })
  running.add(child)
  return child
}

async function run(stage: Stage, isAlone: boolean): Promise<StageResult> {
  const { name, report, timeoutMinutes, environment = () => ({ variables: {} }) } = stage
  const emptyResult = { passed: 0, failed: 0, skipped: 0, failures: [] }
  if (isAlone) console.log(`\n── ${name} ──`)
  const environmentOrSkip = environment()
  if ('skipReason' in environmentOrSkip) {
    console.log(environmentOrSkip.skipReason)
    return { ...emptyResult, skipped: 1 }
  }
  const lastLines: string[] = []
  const child = start(stage, environmentOrSkip.variables, isAlone, lastLines)
  const minutes = timeoutMinutes * (isLong ? LONG_TIMEOUT_FACTOR : 1)
  const timeout = setTimeout(() => {
    console.error(`${name} took longer than ${minutes} minutes`)
    stop(child, 'SIGINT')
  }, minutes * 60_000)
  const isSuccess = await new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(false)
    })
    child.once('close', (code) => resolve(code === 0))
  })
  clearTimeout(timeout)
  running.delete(child)
  const finish = (result: StageResult, isGood = isSuccess) =>
    withExitStatus(result, name, isGood, lastLines)
  if (!report) return finish({ ...emptyResult, passed: isSuccess ? 1 : 0 })
  try {
    return finish(report.read(JSON.parse(readFileSync(report.file, 'utf8')) as never))
  } catch {
    return finish(emptyResult, false)
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    const exits = [...running].map(
      (child) => new Promise((resolve) => void child.once('exit', resolve)),
    )
    for (const child of running) stop(child, 'SIGINT')
    void Promise.all(exits).then(() => process.exit(130))
  })
}
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))

const requestedNames = process.argv.slice(2)
const allStages = [...GROUPS, ...LONG_GROUPS].flat()
const unknownNames = requestedNames.filter(
  (name) => !allStages.some((stage) => stage.name === name),
)
if (unknownNames.length > 0)
  throw new Error(
    `There is no stage ${unknownNames.join(', ')}. ` +
      `The stages are ${allStages.map(({ name }) => name).join(', ')}`,
  )
const isIncluded = ({ name }: Stage) => requestedNames.length === 0 || requestedNames.includes(name)
const groups = [...GROUPS, ...(isLong || requestedNames.length > 0 ? LONG_GROUPS : [])]
  .map((group) => group.filter(isIncluded))
  .filter((group) => group.length > 0)

const results: { name: string; result: StageResult; seconds: number }[] = []
for (const group of groups) {
  if (group.length > 1) console.log(`\n── ${group.map(({ name }) => name).join(', ')} ──`)
  const runs = group.map(async (stage) => {
    const startedAt = performance.now()
    const result = await run(stage, group.length === 1)
    return { name: stage.name, result, seconds: (performance.now() - startedAt) / 1000 }
  })
  results.push(...(await Promise.all(runs)))
}

const inMinutes = (seconds: number) =>
  `${Math.floor(Math.round(seconds) / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')} min`
console.log('')
for (const { name, result, seconds } of results) {
  console.log(`${name.padEnd(18)} ${summaryLine([result]).padEnd(32)} ${inMinutes(seconds)}`)
  for (const failure of result.failures) console.log(`  ✗ ${failure}`)
}
console.log(`${'together'.padEnd(51)} ${inMinutes(performance.now() / 1000)}`)
const stageResults = results.map(({ result }) => result)
console.log(summaryLine(stageResults))
process.exitCode = stageResults.some(({ failed }) => failed > 0) ? 1 : 0
