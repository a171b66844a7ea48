/** `node deploy/cluster/failover.ts [kills]` kills the primary (10 times), then freezes it once. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { ACCOUNT, startFakeTwilio, SENDER_NUMBER, TOKEN } from '../../server/test/fake-twilio.ts'
import {
  checkTexts,
  createRound,
  createSchool,
  findDuplicates,
  findLostWrites,
  isSettled,
} from './checks.ts'
import { type Call, recordCalls, startClients, type Sender } from './clients.ts'
import {
  dataFolder,
  isComplete,
  isRunning,
  listMembers,
  restartNode,
  startCluster,
  stopCluster,
  waitUntil,
} from './cluster.ts'
import { pidOf, postgresOn, send } from './processes.ts'
import { FOLDER, HOST, PORTS, SERVERS } from './settings.ts'

const KILLS = Number(process.argv[2] ?? 10)
const MIN_PAUSE_BEFORE_KILL_MS = 5_000
const MAX_RANDOM_PAUSE_MS = 2_000
const PAUSE_AFTER_ROUND_MS = 3_000
const POLL_MS = 50
const MAX_REPAIR_MS = 180_000
const MAX_DELIVERY_MS = 240_000
const MAX_OUTAGE_SECONDS = 15
/** What each round kills, with `kill -9`. After the last two, the leader's lease must expire. */
const VICTIMS = [
  'postmaster',
  'PostgreSQL',
  'Patroni and PostgreSQL',
  'Patroni, PostgreSQL and etcd',
] as const
/** Patroni and PostgreSQL are paused. When they resume, they still believe that they lead. */
const FROZEN = 'nothing: frozen'
type Victim = (typeof VICTIMS)[number] | typeof FROZEN

async function findLeader(): Promise<number> {
  const leader = (await listMembers()).find(({ role }) => role === 'leader')
  return Number(mustExist(leader, 'The leader').name.replace(/\D/g, ''))
}

/** Kills or freezes processes of a node. Returns a function that starts the node again. */
function strike(node: number, victim: Victim): () => void {
  const { postmaster, pids } = postgresOn(dataFolder(node))
  const includesPatroni = victim === FROZEN || victim.startsWith('Patroni')
  const processes = [
    ...(includesPatroni ? [pidOf(`patroni${node}`)] : []),
    ...(victim.endsWith('etcd') ? [pidOf(`etcd${node}`)] : []),
    ...(victim === 'postmaster' ? [postmaster] : pids),
  ].filter((pid) => pid !== undefined)
  for (const pid of processes) send(pid, victim === FROZEN ? 'SIGSTOP' : 'SIGKILL')
  return () => {
    if (victim === FROZEN) for (const pid of processes) send(pid, 'SIGCONT')
    restartNode(node)
  }
}

/** True if another node leads, or the struck node leads again with a new PostgreSQL. */
async function hasPrimary(struckNode: number, killedPid: number | undefined): Promise<boolean> {
  const leadingMember = (await listMembers()).find(
    ({ role, state }) => role === 'leader' && state === 'running',
  )
  if (leadingMember?.name !== `node${struckNode}`) return leadingMember !== undefined
  const { postmaster } = postgresOn(dataFolder(struckNode))
  return killedPid !== undefined && postmaster !== undefined && postmaster !== killedPid
}

const isReady = async (n: number) =>
  (
    await fetch(`http://${HOST}:${PORTS.server(n)}/api/health/ready`, {
      signal: AbortSignal.timeout(2_000),
    })
  ).ok

/** Returns the time since which all servers have been ready. */
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

/** The time from the kill to the end of the longest gap between successful writes. */
function outageSeconds(calls: Call[], killedAt: number): number {
  const successTimes = calls
    .filter(({ kind, status, at }) => WRITES.has(kind) && status === 200 && at > killedAt)
    .map(({ at }) => at)
  let previous = killedAt,
    longestGap = 0,
    endOfGap = NaN
  for (const time of successTimes) {
    if (time - previous > longestGap) [longestGap, endOfGap] = [time - previous, time]
    previous = time
  }
  return (endOfGap - killedAt) / 1000
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
  duplicates: number
}

async function runRound(round: number, { calls, acknowledged, messages }: Running): Promise<Row> {
  const victim = round > KILLS ? FROZEN : VICTIMS[(round - 1) % VICTIMS.length]!
  await sleep(MIN_PAUSE_BEFORE_KILL_MS + Math.random() * MAX_RANDOM_PAUSE_MS)
  const node = await findLeader()
  const firstCall = calls.all.length
  const killedAt = performance.now()
  const watching = new AbortController()
  const ready = watchReady(watching.signal)
  const killedPid = victim === FROZEN ? undefined : postgresOn(dataFolder(node)).postmaster
  const restart = strike(node, victim)
  await waitUntil('A primary', () => hasPrimary(node, killedPid), 60_000)
  await waitUntil(
    'Writes',
    async () => calls.all.slice(-5).every(({ status }) => status === 200),
    60_000,
  )
  restart()
  await waitUntil('The killed node as a standby', isComplete, MAX_REPAIR_MS)
  const completeAt = performance.now()
  await sleep(PAUSE_AFTER_ROUND_MS)
  watching.abort()
  const readyAt = await ready
  const roundCalls = calls.all.slice(firstCall)
  const countOf = (matches: (call: Call) => boolean) => roundCalls.filter(matches).length
  const lostWrites = await findLostWrites(acknowledged),
    duplicateTexts = findDuplicates(messages)
  const unexpectedCalls = roundCalls.filter(
    ({ status }) => status !== 200 && status !== 503 && status !== 429,
  )
  for (const { kind, status, detail, ms } of unexpectedCalls.slice(0, 5))
    console.log(`  ${kind}: ${status} after ${Math.round(ms)} ms ${detail}`)
  for (const problem of [...lostWrites, ...duplicateTexts].slice(0, 5)) console.log(`  ${problem}`)
  return {
    round,
    killed: `node${node}: ${victim}`,
    'first 200 (s)': outageSeconds(roundCalls, killedAt).toFixed(1),
    'all ready (s)': ((readyAt - killedAt) / 1000).toFixed(1),
    'standby back (s)': ((completeAt - killedAt) / 1000).toFixed(1),
    answered: countOf(({ status }) => status === 200),
    '503s': countOf(({ status }) => status === 503),
    'other 5xx': countOf(({ status }) => status >= 500 && status !== 503),
    'cut or hung': countOf(({ status }) => status === 0),
    'slowest (s)': (Math.max(...roundCalls.map(({ ms }) => ms)) / 1000).toFixed(1),
    lost: lostWrites.length,
    duplicates: duplicateTexts.length,
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
    SMS_PROVIDER: 'twilio',
    SMS_PER_SECOND: '50',
    TWILIO_ACCOUNT_SID: ACCOUNT,
    TWILIO_AUTH_TOKEN: TOKEN,
    TWILIO_FROM: SENDER_NUMBER,
    TWILIO_API_URL: twilio.url,
  })
  let senders: Sender[] = []
  const school = await createSchool()
  // Does not include the school, where nobody has a birthday.
  const dojoIds: string[] = []
  const calls = recordCalls()
  const { acknowledged, stop } = startClients(calls, school, () => senders)
  const rows: Row[] = []
  for (let round = 1; round <= KILLS + 1; round += 1) {
    const roundData = await createRound()
    senders = roundData.senders
    dojoIds.push(...roundData.dojoIds)
    rows.push(await runRound(round, { calls, acknowledged, messages: twilio.messages }))
    console.log(markdown(rows.slice(-1)).split('\n').at(-1))
  }
  await stop()
  await waitUntil('All texts', () => isSettled(dojoIds), MAX_DELIVERY_MS).catch(console.error)
  const { textCount, wrongTexts, wrongNotices, wrongAllowances, dojosAtLimit } = await checkTexts(
    twilio.messages,
    dojoIds,
  )
  const lostWrites = await findLostWrites(acknowledged),
    duplicateTexts = findDuplicates(twilio.messages)
  const { marks, payments, batches } = acknowledged
  console.log(`
${markdown(rows)}

Confirmed: ${marks.size} marks, ${payments.size} payments, ${batches.size} messages. \
Lost: ${lostWrites.length}.
Texts: ${textCount}. Missing or extra at the provider: ${wrongTexts.length}. \
Duplicates: ${duplicateTexts.length}.
Dojos with a birthday: ${dojoIds.length}. Without exactly one notice: ${wrongNotices.length}.
Dojos at the daily limit: ${dojosAtLimit}. With a wrong allowance: ${wrongAllowances.length}.`)
  const problems = [lostWrites, duplicateTexts, wrongTexts, wrongNotices, wrongAllowances].flat()
  for (const problem of problems.slice(0, 20)) console.log(problem)
  // Does not check the last round: after a freeze, writes may wait until the standby is rewound.
  const killRounds = rows.filter(({ round }) => round <= KILLS)
  const isLate = killRounds.some((row) => !(Number(row['first 200 (s)']) < MAX_OUTAGE_SECONDS))
  const hasUnexpectedCalls = killRounds.some((row) => row['other 5xx'] + row['cut or hung'] > 0)
  writeFileSync(join(FOLDER, 'calls.json'), JSON.stringify(calls.all))
  return problems.length > 0 || isLate || hasUnexpectedCalls ? 1 : 0
}

if (isRunning())
  throw new Error(
    'The cluster is already running. Stop it first: its texts would not go to this process.',
  )
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopCluster().then(() => process.exit(130)))
try {
  process.exitCode = await run()
} finally {
  await stopCluster()
  await twilio.close()
}
