/** Runs all stages (`npm test`) or some (`npm test -- lint vitest`). See CONTRIBUTING.md. */
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

const MEMORY_FOLDER = '/dev/shm'
const MIN_FREE_BYTES = 8 * 2 ** 30
/** The file system type of a folder in memory. */
const TMPFS_TYPE = 0x01021994
function canUseMemoryFolder(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY_FOLDER)
    return type === TMPFS_TYPE && bavail * bsize > MIN_FREE_BYTES && freemem() > MIN_FREE_BYTES
  } catch {
    return false
  }
}
const temporaryFolder = mkdtempSync(
  join(canUseMemoryFolder() ? MEMORY_FOLDER : tmpdir(), 'tatami-'),
)
// PostgreSQL may run as another user, who also writes here.
chmodSync(temporaryFolder, 0o1777)
const KILL_AFTER_MS = 20_000
const isLong = Boolean(process.env.LONG)
const LONG_TIMEOUT_FACTOR = 4
const SHOWN_OUTPUT_LINES = 40

type Environment = { variables: Record<string, string> } | { skipReason: string }

type Stage = {
  name: string
  command: string[]
  timeoutMinutes: number
  report?: { file: string; read: (json: never) => StageResult }
  environment?: () => Environment
}

function vitestStage(name: string, timeoutMinutes: number, ...args: string[]): Stage {
  const file = join(temporaryFolder, `${name}.json`)
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

/** These tests would have the same result on another PostgreSQL. */
const DATABASE_INDEPENDENT_TESTS = [
  'server/{kill,database-faults,disk-faults,main,env,operations}.test.ts',
  'server/backups/drill.test.ts',
  'server/exports/large-dojo.test.ts',
  'server/db/cache.test.ts',
  'server/http/{reply-filter,static-files,api-reference}.test.ts',
]

const DATABASE_SAMPLE = [
  'server/db/database.test.ts',
  'server/db/migrate.test.ts',
  'server/test/entities.test.ts',
  'server/test/grants.test.ts',
  'server/test/tenancy.test.ts',
  'server/exports/exports.test.ts',
]
const EXTERNAL_DATABASE_TEST = 'server/external-database.test.ts'

const excludeTests = (files: string[], environment: Environment): Environment =>
  'variables' in environment && files.length > 0
    ? { variables: { ...environment.variables, TEST_EXCLUDE: files.join(':') } }
    : environment

/** Runs server tests on another PostgreSQL version or login: a sample or, in the long run, all. */
const databaseStage = (name: string, environment: () => Environment): Stage => ({
  ...vitestStage(
    name,
    20,
    '--project=server',
    ...(isLong ? [] : [EXTERNAL_DATABASE_TEST, ...DATABASE_SAMPLE]),
  ),
  environment: () => excludeTests(DATABASE_INDEPENDENT_TESTS, environment()),
})
function runApt(...args: string[]): boolean {
  // At run level 1, Debian's package does not start a PostgreSQL cluster when it is installed.
  const aptEnv = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const options = ['-q', '-o', 'DPkg::Lock::Timeout=120', ...args]
  return spawnSync('apt-get', options, { stdio: 'inherit', env: aptEnv }).status === 0
}
const installPostgres15 = (): boolean =>
  process.getuid?.() === 0 && runApt('update') && runApt('install', '-y', 'postgresql-15')

const postgres15Environment = (variables: Record<string, string>) => (): Environment => {
  const bin = findPostgres15() ?? (installPostgres15() ? findPostgres15() : undefined)
  return bin
    ? { variables: { TEST_POSTGRES_BIN: bin, ...variables } }
    : { skipReason: 'To run these tests on PostgreSQL 15, too, install postgresql-15.' }
}
const LOGIN_AS_OWNER = { TEST_SERVE_AS: 'owner' }

const VITEST: Stage = {
  ...vitestStage('vitest', 20),
  environment: () => excludeTests(isLong ? [] : [EXTERNAL_DATABASE_TEST], { variables: {} }),
}
const POSTGRES_15 = databaseStage('postgres-15', postgres15Environment(LOGIN_AS_OWNER))

const BROWSER: Stage = {
  name: 'browser',
  command: ['playwright', 'test', '--forbid-only', '--reporter=list,json'],
  timeoutMinutes: 35,
  environment: () => ({ variables: { E2E_SAMPLE: isLong ? '' : '1' } }),
  report: { file: join(temporaryFolder, 'playwright.json'), read: readPlaywrightReport },
}

const skipIfMissing = (
  missingPackages: readonly string[],
  reason: string,
  variables: Record<string, string> = {},
): Environment =>
  missingPackages.length > 0
    ? { skipReason: `${reason}: ${missingPackages.join(' ')}.` }
    : { variables }
const missingPrograms = (...names: string[]) => names.filter((name) => !findProgram(name))

const FAILOVER: Stage = {
  name: 'failover',
  command: ['node', 'deploy/cluster/failover.ts', '4'],
  timeoutMinutes: 5,
  environment: () =>
    skipIfMissing(missingClusterPackages(), 'The failover test needs these Debian packages', {
      CLUSTER_DIR: join(tmpdir(), 'tatami-failover'),
    }),
}

const SCAN: Stage = {
  name: 'scan',
  command: ['node', 'scripts/scan.ts'],
  timeoutMinutes: 8,
  environment: () =>
    skipIfMissing(missingPrograms('sqlmap', 'wapiti'), 'The scan needs these Debian packages'),
}

const DEPLOY: Stage = {
  name: 'deploy',
  command: ['node', 'deploy/try.ts'],
  timeoutMinutes: 4,
  environment: () =>
    skipIfMissing(
      missingPrograms('caddy', 'promtool', 'logrotate', 'systemd-analyze'),
      'Testing deploy/ needs these programs (Debian: caddy, prometheus, logrotate, systemd)',
    ),
}

/** The stages of a group run in parallel. The groups run one after the other. */
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
  // Samples mostly wait for their databases, so they can run in parallel. Full runs cannot.
  ...(isLong ? [[VITEST], [POSTGRES_15]] : [[VITEST, POSTGRES_15]]),
  [BROWSER],
]
const LONG_GROUPS: Stage[][] = [
  [databaseStage('postgres-15-app', postgres15Environment({}))],
  [databaseStage('postgres-18-owner', () => ({ variables: LOGIN_AS_OWNER }))],
  [FAILOVER],
  [SCAN],
  [DEPLOY],
]

const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
  TMPDIR: temporaryFolder,
  PLAYWRIGHT_JSON_OUTPUT_FILE: join(temporaryFolder, 'playwright.json'),
  // The tests start about a hundred processes, which share the compiled sources.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
}
const runningChildren = new Set<ChildProcess>()

/** The terminal does not send Ctrl+C to a child, because each child leads its own process group.
 *  This sends the signal, and later kills the whole group. */
function stop(child: ChildProcess, signal: NodeJS.Signals) {
  child.kill(signal)
  setTimeout(() => {
    try {
      process.kill(-mustExist(child.pid, 'The process id'), 'SIGKILL')
    } catch {
      // The group has already ended.
    }
  }, KILL_AFTER_MS).unref()
}

function start(
  { name, command: [program = '', ...args] }: Stage,
  variables: Record<string, string>,
  hasOwnOutput: boolean,
  lastLines: string[],
): ChildProcess {
  const output = hasOwnOutput ? 'inherit' : 'pipe'
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
        if (lastLines.length > SHOWN_OUTPUT_LINES) lastLines.shift()
      })
  runningChildren.add(child)
  return child
}

async function run(stage: Stage, hasOwnOutput: boolean): Promise<StageResult> {
  const { name, report, timeoutMinutes, environment = () => ({ variables: {} }) } = stage
  const emptyResult = { passed: 0, failed: 0, skipped: 0, failures: [] }
  if (hasOwnOutput) console.log(`\n── ${name} ──`)
  const environmentOrSkip = environment()
  if ('skipReason' in environmentOrSkip) {
    console.log(environmentOrSkip.skipReason)
    return { ...emptyResult, skipped: 1 }
  }
  const lastLines: string[] = []
  const child = start(stage, environmentOrSkip.variables, hasOwnOutput, lastLines)
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
  runningChildren.delete(child)
  const finish = (result: StageResult, hasSucceeded = isSuccess) =>
    withExitStatus(result, name, { isSuccess: hasSucceeded, lastLines })
  if (!report) return finish({ ...emptyResult, passed: isSuccess ? 1 : 0 })
  try {
    return finish(report.read(JSON.parse(readFileSync(report.file, 'utf8')) as never))
  } catch {
    return finish(emptyResult, false)
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    const exits = [...runningChildren].map(
      (child) => new Promise((resolve) => void child.once('exit', resolve)),
    )
    for (const child of runningChildren) stop(child, 'SIGINT')
    void Promise.all(exits).then(() => process.exit(130))
  })
}
process.once('exit', () => rmSync(temporaryFolder, { recursive: true, force: true }))

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

function formatDuration(seconds: number): string {
  const wholeSeconds = Math.round(seconds)
  const paddedSeconds = String(wholeSeconds % 60).padStart(2, '0')
  return `${Math.floor(wholeSeconds / 60)}:${paddedSeconds} min`
}
console.log('')
for (const { name, result, seconds } of results) {
  console.log(`${name.padEnd(18)} ${summaryLine([result]).padEnd(32)} ${formatDuration(seconds)}`)
  for (const failure of result.failures) console.log(`  ✗ ${failure}`)
}
console.log(`${'total'.padEnd(51)} ${formatDuration(performance.now() / 1000)}`)
const stageResults = results.map(({ result }) => result)
console.log(summaryLine(stageResults))
process.exitCode = stageResults.some(({ failed }) => failed > 0) ? 1 : 0
