/** `node deploy/cluster/failover.ts [kills]`: kills the primary, ten times by default, and freezes
 *  it once, while clients work, and prints what came of it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { ACCOUNT, startFakeTwilio, SENDER_NUMBER, TOKEN } from '../../server/test/fake-twilio.ts'
import {
  checkTexts,
  createRound,
  createSchool,
  findDoubled,
  findLost,
  isSettled,
} from './checks.ts'
import { type Call, recordCalls, startClients, type Texting } from './clients.ts'
import {
  dataFolder,
  isComplete,
  isRunning,
  members,
  restartNode,
  startCluster,
  stopCluster,
  waitUntil,
} from './cluster.ts'
import { pidOf, postgresOn, send } from './processes.ts'
import { FOLDER, HOST, PORTS, SERVERS } from './settings.ts'

const KILLS = Number(process.argv[2] ?? 10)
const BEFORE_KILL_MS = 5_000,
  RANDOM_MS = 2_000,
  AFTER_MS = 3_000,
  POLL_MS = 50,
  COMPLETE_WITHIN_MS = 180_000,
  SETTLED_WITHIN_MS = 240_000,
  BACK_WITHIN_SECONDS = 15
/** What dies with `kill -9`, in turn. The last two leave a leadership behind that has to expire. */
const VICTIMS = [
  'postmaster',
  'PostgreSQL',
  'Patroni and PostgreSQL',
  'Patroni, PostgreSQL and etcd',
] as const
/** In the last round Patroni and PostgreSQL freeze until there is another primary, and then believe
 *  for a moment that they lead. */
const FROZEN = 'nothing: frozen'
type Victim = (typeof VICTIMS)[number] | typeof FROZEN

const dueReminders = () => {
  const today = new Date()
  return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 0, 18) - today.getTime()
}

const leader = async () =>
  Number(/\d+$/.exec((await members()).find(({ role }) => role === 'leader')!.name)![0])

function strike(node: number, victim: Victim): () => void {
  const { postmaster, all } = postgresOn(dataFolder(node))
  const isWhole = victim === FROZEN || victim.startsWith('Patroni')
  const processes = [
    ...(isWhole ? [pidOf(`patroni${node}`)] : []),
    ...(victim.endsWith('etcd') ? [pidOf(`etcd${node}`)] : []),
    ...(victim === 'postmaster' ? [postmaster] : all),
  ].filter((pid) => pid !== undefined)
  for (const pid of processes) send(pid, victim === FROZEN ? 'SIGSTOP' : 'SIGKILL')
  return () => {
    if (victim === FROZEN) for (const pid of processes) send(pid, 'SIGCONT')
    restartNode(node)
  }
}

/** True if another node leads, or the same node with another postmaster: if its Patroni survived
 *  and saw no standby, it recovers in place. */
async function hasPrimary(struck: number, killedPid: number | undefined): Promise<boolean> {
  const leading = (await members()).find(
    ({ role, state }) => role === 'leader' && state === 'running',
  )
  if (leading?.name !== `node${struck}`) return leading !== undefined
  const { postmaster } = postgresOn(dataFolder(struck))
  return killedPid !== undefined && postmaster !== undefined && postmaster !== killedPid
}

const isReady = async (n: number) =>
  (
    await fetch(`http://${HOST}:${PORTS.server(n)}/api/health/ready`, {
      signal: AbortSignal.timeout(2_000),
    })
  ).ok

/** When all servers were ready for good, by performance.now(). */
async function watchReady(stopSignal: AbortSignal): Promise<number> {
  let readySince: number | undefined
  while (!stopSignal.aborted) {
    const ready = await Promise.all(SERVERS.map((n) => isReady(n).catch(() => false)))
    readySince = ready.every(Boolean) ? (readySince ?? performance.now()) : undefined
    await sleep(POLL_MS)
  }
  return readySince ?? NaN
}

const WRITES = new Set(['mark', 'payment', 'text'])

/** How long after the kill writes succeeded for good: the end of the longest gap. */
function backAfter(calls: Call[], killedAt: number): number {
  const successTimes = calls
    .filter(({ kind, status, at }) => WRITES.has(kind) && status === 200 && at > killedAt)
    .map(({ at }) => at)
  let previous = killedAt,
    longest = 0,
    back = NaN
  for (const time of successTimes) {
    if (time - previous > longest) [longest, back] = [time - previous, time]
    previous = time
  }
  return (back - killedAt) / 1000
}

type Row = {
  round: number
  killed: string
  'first 200 (s)': string
  'all ready (s)': string
  'standby back (s)': string
  answered: number
  '503s': number
  'other 5xx': number
  'cut or hung': number
  'slowest (s)': string
  lost: number
  doubled: number
}

async function runRound(round: number, { calls, acknowledged, messages }: Running): Promise<Row> {
  const victim = round > KILLS ? FROZEN : VICTIMS[(round - 1) % VICTIMS.length]!
  await sleep(BEFORE_KILL_MS + Math.random() * RANDOM_MS)
  const node = await leader()
  const firstCall = calls.all.length,
    killedAt = performance.now(),
    watching = new AbortController()
  const ready = watchReady(watching.signal)
  const killedPid = victim === FROZEN ? undefined : postgresOn(dataFolder(node)).postmaster
  const bringBack = strike(node, victim)
  await waitUntil('A primary', () => hasPrimary(node, killedPid), 60_000)
  await waitUntil(
    'Writes',
    async () => calls.all.slice(-5).every(({ status }) => status === 200),
    60_000,
  )
  bringBack()
  await waitUntil('The killed node as a standby', isComplete, COMPLETE_WITHIN_MS)
  const complete = performance.now()
  await sleep(AFTER_MS)
  watching.abort()
  const readyAt = await ready
  const roundCalls = calls.all.slice(firstCall)
  const countOf = (isOne: (call: Call) => boolean) => roundCalls.filter(isOne).length
  const lostWrites = await findLost(acknowledged),
    doubledTexts = findDoubled(messages)
  const strange = roundCalls.filter(
    ({ status }) => status !== 200 && status !== 503 && status !== 429,
  )
  for (const { kind, status, detail, ms } of [...strange.slice(0, 5)])
    console.log(`  ${kind}: ${status} after ${Math.round(ms)} ms ${detail}`)
  for (const problem of [...lostWrites, ...doubledTexts].slice(0, 5)) console.log(`  ${problem}`)
  return {
    round,
    killed: `node${node}: ${victim}`,
    'first 200 (s)': backAfter(roundCalls, killedAt).toFixed(1),
    'all ready (s)': ((readyAt - killedAt) / 1000).toFixed(1),
    'standby back (s)': ((complete - killedAt) / 1000).toFixed(1),
    answered: countOf(({ status }) => status === 200),
    '503s': countOf(({ status }) => status === 503),
    'other 5xx': countOf(({ status }) => status >= 500 && status !== 503),
    'cut or hung': countOf(({ status }) => status === 0),
    'slowest (s)': (Math.max(...roundCalls.map(({ ms }) => ms)) / 1000).toFixed(1),
    lost: lostWrites.length,
    doubled: doubledTexts.length,
  }
}

function markdown(rows: Row[]): string {
  const columns = Object.keys(rows[0]!) as (keyof Row)[]
  const line = (cells: unknown[]) => `| ${cells.join(' | ')} |`
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((column) => row[column]))),
  ].join('\n')
}

const twilio = await startFakeTwilio()
type Running = {
  calls: ReturnType<typeof recordCalls>
  acknowledged: ReturnType<typeof startClients>['acknowledged']
  messages: typeof twilio.messages
}

async function run() {
  await startCluster({
    API_ONLY: '1',
    CLOCK_AHEAD_MS: String(dueReminders()),
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'clock-ahead.ts')).href}`,
    SMS_PROVIDER: 'twilio',
    SMS_PER_SECOND: '50',
    TWILIO_ACCOUNT_SID: ACCOUNT,
    TWILIO_AUTH_TOKEN: TOKEN,
    TWILIO_FROM: SENDER_NUMBER,
    TWILIO_API_URL: twilio.url,
  })
  let texting: Texting[] = []
  const school = await createSchool()
  // Without the school: once its few students have paid for the coming month, nobody there is
  // reminded.
  const dojoIds: string[] = []
  const calls = recordCalls()
  const { acknowledged, stop } = startClients(calls, school, () => texting)
  const rows: Row[] = []
  for (let round = 1; round <= KILLS + 1; round += 1) {
    const roundData = await createRound()
    texting = roundData.texting
    dojoIds.push(...roundData.dojoIds)
    rows.push(await runRound(round, { calls, acknowledged, messages: twilio.messages }))
    console.log(markdown(rows.slice(-1)).split('\n').at(-1))
  }
  await stop()
  await waitUntil('No text on its way', () => isSettled(dojoIds), SETTLED_WITHIN_MS).catch(
    console.error,
  )
  const { texts, wrong, reminders, allowance, atLimit } = await checkTexts(twilio.messages, dojoIds)
  const lostWrites = await findLost(acknowledged),
    doubledTexts = findDoubled(twilio.messages)
  const { marks, payments, batches } = acknowledged
  console.log(`
${markdown(rows)}

Answered with 200: ${marks.size} marks, ${payments.size} payments, ${batches.size} messages; lost: ${lostWrites.length}.
Texts: ${texts}; not at the provider as often as they should be: ${wrong.length}; doubled: ${doubledTexts.length}.
Reminders due in ${dojoIds.length} dojos; not exactly once: ${reminders.length}.
Daily allowance of ${dojoIds.length} dojos, ${atLimit} of them at the limit; not exact: ${allowance.length}.`)
  const problems = [...lostWrites, ...doubledTexts, ...wrong, ...reminders, ...allowance]
  for (const problem of problems.slice(0, 20)) console.log(problem)
  // After a freeze the remaining standby may have to be rewound first, and writes wait for it.
  const killRounds = rows.filter(({ round }) => round <= KILLS)
  const isLate = killRounds.some((row) => !(Number(row['first 200 (s)']) < BACK_WITHIN_SECONDS))
  const isStrange = killRounds.some((row) => row['other 5xx'] + row['cut or hung'] > 0)
  writeFileSync(join(FOLDER, 'calls.json'), JSON.stringify(calls.all))
  return problems.length > 0 || isLate || isStrange ? 1 : 0
}

if (isRunning())
  throw new Error(
    'The cluster runs already: stop it first, because its texts have to go to this process.',
  )
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopCluster().then(() => process.exit(130)))
try {
  process.exitCode = await run()
} finally {
  await stopCluster()
  await twilio.close()
}
