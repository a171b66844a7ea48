/** Kills the primary several times (by default 10), then freezes it once: node
 *  deploy/cluster/failover.ts [kills]. */
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
import { type Call, createCallRecorder, startClients, type Sender } from './clients.ts'
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
import { findRunningPid, findPostgres, send } from './processes.ts'
import { FOLDER, HOST, PORTS, SERVERS } from './settings.ts'

const KILLS = Number(process.argv[2] ?? 10)
const MIN_PAUSE_BEFORE_KILL_MS = 5_000
const MAX_RANDOM_PAUSE_MS = 2_000
const PAUSE_AFTER_ROUND_MS = 3_000
const POLL_MS = 50
const MAX_REPAIR_MS = 180_000
const MAX_DELIVERY_MS = 240_000
const MAX_OUTAGE_SECONDS = 15
/** The processes that each round kills with `kill -9`. After the last two, the leader's lease has
 *  to expire. */
const VICTIMS = [
  'postmaster',
  'PostgreSQL',
  'Patroni and PostgreSQL',
  'Patroni, PostgreSQL and etcd',
] as const
/** In the last round, Patroni and PostgreSQL are paused. When they continue, they do not know that
 *  another node is the leader. */
const FROZEN = 'nothing: frozen'
type Victim = (typeof VICTIMS)[number] | typeof FROZEN

async function findLeader(): Promise<number> {
  const leader = (await listMembers()).find(({ role }) => role === 'leader')
  return Number(mustExist(leader, 'The leader').name.replace(/\D/g, ''))
}

/** Kills or freezes processes of a node. Returns a function that starts the node again. */
function attackNode(node: number, victim: Victim): () => void {
  const { postmaster, pids } = findPostgres(dataFolder(node))
  const includesPatroni = victim === FROZEN || victim.startsWith('Patroni')
  const processes = [
    ...(includesPatroni ? [findRunningPid(`patroni${node}`)] : []),
    ...(victim.endsWith('etcd') ? [findRunningPid(`etcd${node}`)] : []),
    ...(victim === 'postmaster' ? [postmaster] : pids),
  ].filter((pid) => pid !== undefined)
  for (const pid of processes) send(pid, victim === FROZEN ? 'SIGSTOP' : 'SIGKILL')
  return () => {
    if (victim === FROZEN) for (const pid of processes) send(pid, 'SIGCONT')
    restartNode(node)
  }
}

/** True if another node is the leader, or the attacked node is again, with a new PostgreSQL. */
async function hasPrimary(attackedNode: number, killedPid: number | undefined): Promise<boolean> {
  const leadingMember = (await listMembers()).find(
    ({ role, state }) => role === 'leader' && state === 'running',
  )
  if (leadingMember?.name !== `node${attackedNode}`) return leadingMember !== undefined
  const { postmaster } = findPostgres(dataFolder(attackedNode))
  return killedPid !== undefined && postmaster !== undefined && postmaster !== killedPid
}

const isReady = async (server: number) =>
  (
    await fetch(`http://${HOST}:${PORTS.server(server)}/api/health/ready`, {
      signal: AbortSignal.timeout(2_000),
    })
  ).ok

/** Returns the time at which all servers became ready and stayed so. */
async function watchReady(stopSignal: AbortSignal): Promise<number> {
  let readySince: number | undefined
  while (!stopSignal.aborted) {
    const readyStates = await Promise.all(
      SERVERS.map((server) => isReady(server).catch(() => false)),
    )
    readySince = readyStates.every(Boolean) ? (readySince ?? performance.now()) : undefined
    await sleep(POLL_MS)
  }
  return readySince ?? NaN
}

const WRITES = new Set(['mark', 'payment', 'text'])

/** Returns the time from the kill to the end of the longest gap between successful writes. */
function outageSeconds(calls: Call[], killedAt: number): number {
  const successTimes = calls
    .filter(({ kind, status, at }) => WRITES.has(kind) && status === 200 && at > killedAt)
    .map(({ at }) => at)
  let previousTime = killedAt
  let longestGap = 0
  let endOfGap = NaN
  for (const time of successTimes) {
    if (time - previousTime > longestGap) {
      longestGap = time - previousTime
      endOfGap = time
    }
    previousTime = time
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

async function runRound(
  round: number,
  { recorder, confirmedWrites, messages }: FailoverTest,
): Promise<Row> {
  const victim = round > KILLS ? FROZEN : VICTIMS[(round - 1) % VICTIMS.length]!
  await sleep(MIN_PAUSE_BEFORE_KILL_MS + Math.random() * MAX_RANDOM_PAUSE_MS)
  const node = await findLeader()
  const firstCall = recorder.calls.length
  const killedAt = performance.now()
  const readyWatch = new AbortController()
  const readyTime = watchReady(readyWatch.signal)
  const killedPid = victim === FROZEN ? undefined : findPostgres(dataFolder(node)).postmaster
  const restart = attackNode(node, victim)
  await waitUntil('A primary', () => hasPrimary(node, killedPid), 60_000)
  await waitUntil(
    'Writes',
    async () => recorder.calls.slice(-5).every(({ status }) => status === 200),
    60_000,
  )
  restart()
  await waitUntil('The killed node as a standby', isComplete, MAX_REPAIR_MS)
  const completeAt = performance.now()
  await sleep(PAUSE_AFTER_ROUND_MS)
  readyWatch.abort()
  const readyAt = await readyTime
  const roundCalls = recorder.calls.slice(firstCall)
  const countCalls = (matches: (call: Call) => boolean) => roundCalls.filter(matches).length
  const lostWrites = await findLostWrites(confirmedWrites)
  const duplicateTexts = findDuplicates(messages)
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
    answered: countCalls(({ status }) => status === 200),
    '503s': countCalls(({ status }) => status === 503),
    'other 5xx': countCalls(({ status }) => status >= 500 && status !== 503),
    'cut or hung': countCalls(({ status }) => status === 0),
    'slowest (s)': (Math.max(...roundCalls.map(({ ms }) => ms)) / 1000).toFixed(1),
    lost: lostWrites.length,
    duplicates: duplicateTexts.length,
  }
}

function formatTable(rows: Row[]): string {
  const columns = Object.keys(rows[0]!) as (keyof Row)[]
  const formatRow = (cells: unknown[]) => `| ${cells.join(' | ')} |`
  return [
    formatRow(columns),
    formatRow(columns.map(() => '---')),
    ...rows.map((row) => formatRow(columns.map((column) => row[column]))),
  ].join('\n')
}

const twilio = await startFakeTwilio()
type FailoverTest = {
  recorder: ReturnType<typeof createCallRecorder>
  confirmedWrites: ReturnType<typeof startClients>['confirmedWrites']
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
  // The school is not in this list, because nobody has a birthday there.
  const dojoIds: string[] = []
  const recorder = createCallRecorder()
  const { confirmedWrites, stop } = startClients(recorder, school, () => senders)
  const rows: Row[] = []
  for (let round = 1; round <= KILLS + 1; round += 1) {
    const roundData = await createRound()
    senders = roundData.senders
    dojoIds.push(...roundData.dojoIds)
    rows.push(await runRound(round, { recorder, confirmedWrites, messages: twilio.messages }))
    console.log(formatTable(rows.slice(-1)).split('\n').at(-1))
  }
  await stop()
  await waitUntil('All texts', () => isSettled(dojoIds), MAX_DELIVERY_MS).catch(console.error)
  const { textCount, wrongTexts, wrongNotices, wrongAllowances, dojosAtLimit } = await checkTexts(
    twilio.messages,
    dojoIds,
  )
  const lostWrites = await findLostWrites(confirmedWrites)
  const duplicateTexts = findDuplicates(twilio.messages)
  const { marks, payments, batches } = confirmedWrites
  console.log(`
${formatTable(rows)}

Confirmed: ${marks.size} marks, ${payments.size} payments, ${batches.size} messages. \
Lost: ${lostWrites.length}.
Texts: ${textCount}. Missing or extra at the provider: ${wrongTexts.length}. \
Duplicates: ${duplicateTexts.length}.
Dojos with a birthday: ${dojoIds.length}. Without exactly one notice: ${wrongNotices.length}.
Dojos at the daily limit: ${dojosAtLimit}. With a wrong allowance: ${wrongAllowances.length}.`)
  const problems = [lostWrites, duplicateTexts, wrongTexts, wrongNotices, wrongAllowances].flat()
  for (const problem of problems.slice(0, 20)) console.log(problem)
  // The last round is not checked, because writes may wait after a freeze until Patroni has rewound
  // the standby.
  const killRounds = rows.filter(({ round }) => round <= KILLS)
  const isLate = killRounds.some((row) => !(Number(row['first 200 (s)']) < MAX_OUTAGE_SECONDS))
  const hasUnexpectedCalls = killRounds.some((row) => row['other 5xx'] + row['cut or hung'] > 0)
  writeFileSync(join(FOLDER, 'calls.json'), JSON.stringify(recorder.calls))
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
