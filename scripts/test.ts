/** The one test command. Every stage runs, whatever the ones before it found; the last line counts them all.
 *  `npm test -- lint vitest` runs the stages named. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findOrInstallPostgres15 } from './postgres-15.ts'
import { countLine, fromPlaywright, fromVitest, settled, type Outcome } from './test-reports.ts'

const root = join(import.meta.dirname, '..')
const reports = mkdtempSync(join(tmpdir(), 'tatami-test-'))
const PATIENCE_MS = 20_000

type Stage = {
  name: string
  command: string[]
  minutes: number
  report?: { file: string; read: (json: never) => Outcome }
  /** More for its environment, or why it cannot run here. */
  needs?: () => Record<string, string> | string
  /** Of `npm run test:long` only, which also lets the campaigns among the tests take their time. */
  isLong?: true
}

const isLong = Boolean(process.env.LONG)
const LONGER = 4

function vitest(name: string, ...args: string[]): Pick<Stage, 'name' | 'command' | 'report'> {
  const file = join(reports, `${name}.json`)
  return {
    name,
    command: ['vitest', 'run', '--allowOnly=false', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...args],
    report: { file, read: fromVitest },
  }
}

/** The server's tests on another PostgreSQL or through another login, but for those that ask no database, or start their own. */
const onDatabase = (name: string) =>
  vitest(
    name,
    '--project=server',
    ...[
      'server/{kill,main,env}.test.ts',
      'server/db/{migrate,cache}.test.ts',
      'server/http/{reply-filter,static-files,api-reference}.test.ts',
      ...(isLong ? [] : ['server/test/bad-input.test.ts']),
    ].map((files) => `--exclude=${files}`),
  )
const on15 = (more: Record<string, string>) => {
  const bin = findOrInstallPostgres15()
  return bin
    ? { TEST_POSTGRES_BIN: bin, ...more }
    : "Debian's PostgreSQL 15 is not here: install postgresql-15 to run these tests on it, too."
}

/** The minutes are a stop for what hangs; idle, all of it takes about forty. */
const STAGES: Stage[] = [
  { name: 'types', command: ['tsc'], minutes: 2 },
  { name: 'lint', command: ['oxlint', '--deny-warnings'], minutes: 2 },
  { name: 'format', command: ['oxfmt', '--check', '.'], minutes: 1 },
  { name: 'layers', command: ['node', 'scripts/check-layers.ts'], minutes: 1 },
  { name: 'words', command: ['node', 'scripts/check-words.ts'], minutes: 1 },
  { name: 'coverage', command: ['node', 'scripts/coverage.ts', '--check'], minutes: 1 },
  { name: 'weight', command: ['node', 'scripts/check-weight.ts'], minutes: 1 },
  { ...vitest('vitest'), minutes: 28 },
  { ...onDatabase('postgres-15'), minutes: 20, needs: () => on15({ TEST_SERVE_AS: 'owner' }) },
  { ...onDatabase('postgres-15-app'), minutes: 20, needs: () => on15({}), isLong: true },
  { ...onDatabase('postgres-18-owner'), minutes: 20, needs: () => ({ TEST_SERVE_AS: 'owner' }), isLong: true },
  {
    name: 'browser',
    command: ['playwright', 'test', '--forbid-only', '--reporter=list,json'],
    minutes: 35,
    report: { file: join(reports, 'playwright.json'), read: fromPlaywright },
  },
]

const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
  PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'playwright.json'),
}
let running: ChildProcess | undefined

// Children lead process groups of their own: a Ctrl+C then reaches each once, through us, and what does not end in time can be ended whole.
function end(child: ChildProcess, signal: NodeJS.Signals) {
  child.kill(signal)
  setTimeout(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      /* The group has already ended. */
    }
  }, PATIENCE_MS).unref()
}

async function run({ name, command: [program = '', ...args], minutes: usual, report, needs = () => ({}) }: Stage): Promise<Outcome> {
  console.log(`\n── ${name} ──`)
  const nothing = { passed: 0, failed: 0, skipped: 0, failures: [] }
  const more = needs()
  if (typeof more === 'string') {
    console.log(more)
    return { ...nothing, skipped: 1 }
  }
  const minutes = usual * (isLong ? LONGER : 1)
  const child = spawn(program, args, { cwd: root, env: { ...env, ...more }, stdio: ['ignore', 'inherit', 'inherit'], detached: true })
  running = child
  const late = setTimeout(() => {
    console.error(`${name} took longer than ${minutes} minutes`)
    end(child, 'SIGINT')
  }, minutes * 60_000)
  const endedWell = await new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(false)
    })
    child.once('exit', (code) => resolve(code === 0))
  })
  clearTimeout(late)
  running = undefined
  if (!report) return settled({ ...nothing, passed: endedWell ? 1 : 0 }, name, endedWell)
  try {
    return settled(report.read(JSON.parse(readFileSync(report.file, 'utf8')) as never), name, endedWell)
  } catch {
    return settled(nothing, name, false)
  }
}

const leave = () => process.exit(130)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    if (!running) leave()
    running?.once('exit', leave)
    if (running) end(running, 'SIGINT')
  })
}
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))

const wanted = process.argv.slice(2)
const stages = STAGES.filter((stage) => (wanted.length > 0 ? wanted.includes(stage.name) : isLong || !stage.isLong))
if (stages.length < wanted.length) throw new Error(`The stages are ${STAGES.map(({ name }) => name).join(', ')}`)

const outcomes: { name: string; outcome: Outcome; seconds: number }[] = []
for (const stage of stages) {
  const from = performance.now()
  const outcome = await run(stage)
  outcomes.push({ name: stage.name, outcome, seconds: (performance.now() - from) / 1000 })
}

console.log('')
for (const { name, outcome, seconds } of outcomes) {
  console.log(`${name.padEnd(18)} ${countLine([outcome]).padEnd(32)} ${seconds.toFixed(1)} s`)
  for (const failure of outcome.failures) console.log(`  ✗ ${failure}`)
}
const all = outcomes.map(({ outcome }) => outcome)
console.log(countLine(all))
process.exitCode = all.some(({ failed }) => failed > 0) ? 1 : 0
