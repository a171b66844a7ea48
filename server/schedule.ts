import { DEFAULT_TIME_ZONE } from '@tatami/contract/dojos/dojos'
import { REMINDERS } from '@tatami/contract/texting/message-types'
import { type SQL, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { activeDojosAmong } from './accounts/accounts.ts'
import { announceOutgrowing, dojosWithOutgrowing } from './belts/outgrowing.ts'
import { hourIn, todayIn } from './dojos/calendar.ts'
import { timeZonesOfDojos } from './dojos/dojos.ts'
import { claimJobRun, findDojosDue, hasJobRun } from './dojos/job-runs.ts'
import { dojos, jobRuns } from './dojos/tables.ts'
import { dojosWithWaitingPlaceTexts, sendPlaceTexts } from './messages/place-texts.ts'
import { dojosWithBirthdays, notifyBirthdays } from './dashboard/dashboard.ts'
import { dojosWithNewAdults, turnAdults } from './families/adulthood.ts'
import { deleteClosedLogIns, dojosWithClosedLogIns } from './guardians/log-ins.ts'
import {
  announceFirstReminder,
  whereFirstReminderUnannounced,
  reminderToAnnounce,
} from './messages/first-reminder.ts'
import { reminderDueOn, sendDueReminder, sendWaitingReminders } from './messages/reminders.ts'
import { dojosWithFailures, notifyFailures } from './texting/history.ts'
import { admitWelcomeTexts, dojosWithWaitingTexts } from './texting/allowance.ts'
import { chargeEndedMonths, hasEndedMonth } from './dues/month-charges.ts'
import { dojosWithVacationTurns, turnVacations } from './students/vacations.ts'
import { asOverseer, type Database, type Tx } from './db/database.ts'
import { runEveryMinute } from './db/queue.ts'
import { ADMIN_INBOX_ID } from './notifications/notify.ts'
import { deleteExpiredGlobal, deleteExpiredOfDojo, dojosWithExpired } from './retention.ts'
import { type ClockLog, whileClocksAgree } from './db/trusted-clock.ts'

export const SCHEDULE_QUEUE = 'schedule'
/** Of ten connections; the others serve requests. */
const MAX_CONCURRENT_DOJOS = 4

type JobFunction = (tx: Tx, dojoId: string, today: string) => Promise<void>
type Job = {
  job: string
  /** Due from this hour of the dojo's day, once a day. */
  hour: number
  work: JobFunction
  /** Also runs in inactive dojos. */
  isHousekeeping?: true
  /** Selects dojos that have work on that day; by default all. */
  only?: (over: Tx, today: string) => SQL | undefined
}

const NO_DOJO = sql`false`

const JOBS: Job[] = [
  // Before vacations change, because it charges the previous month.
  {
    job: 'month-charges',
    hour: 0,
    work: chargeEndedMonths,
    only: (_, today) => hasEndedMonth(today),
  },
  // Before reminders, which depend on who is on vacation.
  {
    job: 'vacations',
    hour: 0,
    work: turnVacations,
    isHousekeeping: true,
    only: (_, today) => sql`${dojos.id} in (${dojosWithVacationTurns(today)})`,
  },
  {
    job: 'retention',
    hour: 3,
    work: deleteExpiredOfDojo,
    isHousekeeping: true,
    only: () => sql`${dojos.id} in (${dojosWithExpired()})`,
  },
  {
    job: 'closed-log-ins',
    hour: 3,
    work: deleteClosedLogIns,
    isHousekeeping: true,
    only: () => sql`${dojos.id} in (${dojosWithClosedLogIns()})`,
  },
  {
    job: 'adulthood',
    hour: 0,
    work: turnAdults,
    isHousekeeping: true,
    only: (_, today) => sql`${dojos.id} in (${dojosWithNewAdults(today, lastDayBefore(today))})`,
  },
  {
    job: 'outgrowing',
    hour: 7,
    work: announceOutgrowing,
    only: (_, today) => sql`${dojos.id} in (${dojosWithOutgrowing(today)})`,
  },
  {
    job: 'birthdays',
    hour: 7,
    work: notifyBirthdays,
    only: (_, today) => sql`${dojos.id} in (${dojosWithBirthdays(today)})`,
  },
  {
    job: 'first-reminder',
    hour: 7,
    work: announceFirstReminder,
    only: (_, today) => (reminderToAnnounce(today) ? whereFirstReminderUnannounced() : NO_DOJO),
  },
  {
    job: 'waiting-reminders',
    hour: 10,
    work: sendWaitingReminders,
    // On the day of a reminder every dojo runs it: reminders beyond the daily limit wait for the
    // next day.
    only: (overseerTx, today) =>
      reminderDueOn(today)
        ? undefined
        : sql`${dojos.id} in ${dojosWithWaitingTexts(overseerTx, REMINDERS)}`,
  },
  {
    job: 'reminders',
    hour: 10,
    work: sendDueReminder,
    only: (_, today) => (reminderDueOn(today) ? undefined : NO_DOJO),
  },
]

const ADMIN_JOB: Job = { job: 'retention', hour: 3, work: deleteExpiredGlobal }

const lastDayBefore = (today: string): SQL =>
  sql`(select max(${jobRuns.day}) from ${jobRuns} where ${jobRuns.dojo_id} = ${ADMIN_INBOX_ID} and ${jobRuns.job} = ${ADMIN_JOB.job} and ${jobRuns.day} < ${today}::date)`

type Zone = { timeZone: string; day: string; hour: number }
type DueJob = { dojoId: string; isHousekeeping?: true; work: (tx: Tx) => Promise<void> }

/** A failing dojo is retried a minute later and does not delay the others. */
export async function runDueJobs(db: Database, onError: (error: unknown) => void): Promise<void> {
  const due = await db.withoutDojo((tx) =>
    asOverseer(tx, (overseerTx) => findDueJobs(overseerTx, onError)),
  )
  const limit = pLimit(MAX_CONCURRENT_DOJOS)
  await Promise.all(
    Map.groupBy(due, ({ dojoId }) => dojoId)
      .values()
      .map((jobs) => limit(() => runInOrder(db, jobs).catch(onError))),
  )
}

async function runInOrder(db: Database, due: DueJob[]) {
  for (const { dojoId, work } of due) await db.inDojo(dojoId, work)
}

/** A few queries for all dojos, so that only dojos with work cost a transaction. */
async function findDueJobs(overseerTx: Tx, onError: (error: unknown) => void): Promise<DueJob[]> {
  const zones = (await timeZonesOfDojos(overseerTx)).flatMap((timeZone): Zone[] => {
    try {
      return [{ timeZone, day: todayIn(timeZone), hour: hourIn(timeZone) }]
    } catch (error) {
      onError(error)
      return []
    }
  })
  const due: DueJob[] = []
  for (const job of JOBS) due.push(...(await dueDojos(overseerTx, job, zones)))
  for (const { dojo_id } of await dojosWithWaitingTexts(overseerTx, ['welcome']))
    due.push({ dojoId: dojo_id, work: (tx) => admitWelcomeTexts(tx, dojo_id) })
  for (const { dojo_id } of await dojosWithWaitingPlaceTexts(overseerTx))
    due.push({ dojoId: dojo_id, work: (tx) => sendPlaceTexts(tx, dojo_id) })
  for (const dojoId of await dojosWithFailures(overseerTx))
    due.push({ dojoId, work: (tx) => notifyFailures(tx, dojoId) })
  const active = await activeDojosAmong(overseerTx, [...new Set(due.map(({ dojoId }) => dojoId))])
  const ofDojos = due.filter(({ dojoId, isHousekeeping }) => isHousekeeping || active.has(dojoId))
  return [...(await dueAdminJobs(overseerTx)), ...ofDojos]
}

async function dueDojos(overseerTx: Tx, job: Job, zones: Zone[]): Promise<DueJob[]> {
  const due: DueJob[] = []
  // There are at most three calendar dates on earth at a time.
  for (const [today, sameDay] of Map.groupBy(zones, ({ day }) => day)) {
    const dueZones = sameDay.filter(({ hour }) => hour >= job.hour).map(({ timeZone }) => timeZone)
    const dojoFilter = job.only?.(overseerTx, today)
    if (dueZones.length === 0 || dojoFilter === NO_DOJO) continue
    for (const dojoId of await findDojosDue(overseerTx, job.job, today, dueZones, dojoFilter))
      due.push(claimedJob(job, dojoId, today))
  }
  return due
}

async function dueAdminJobs(overseerTx: Tx): Promise<DueJob[]> {
  const { job, hour } = ADMIN_JOB,
    today = todayIn(DEFAULT_TIME_ZONE)
  const isDue =
    hourIn(DEFAULT_TIME_ZONE) >= hour && !(await hasJobRun(overseerTx, job, today, ADMIN_INBOX_ID))
  return isDue ? [claimedJob(ADMIN_JOB, ADMIN_INBOX_ID, today)] : []
}

/** Claimed in the job's own transaction, because another server may have found it due, too. */
const claimedJob = ({ job, work, isHousekeeping }: Job, dojoId: string, today: string): DueJob => ({
  dojoId,
  ...(isHousekeeping && { isHousekeeping }),
  work: async (tx) => {
    if (await claimJobRun(tx, job, today)) await work(tx, dojoId, today)
  },
})

/** Runs due jobs every minute on one server at a time, and `runBeside`, which may take longer.
 *  Paused while the clock is not trusted. Returns a function that stops it after the running jobs.
 */
export const startScheduler = (
  db: Database,
  onError: (error: unknown) => void,
  clockLog: ClockLog,
  runBeside: () => Promise<void> = async () => {},
): Promise<() => Promise<void>> =>
  runEveryMinute(
    db,
    SCHEDULE_QUEUE,
    whileClocksAgree(db, clockLog, () => {
      runBeside().catch(onError)
      return runDueJobs(db, onError)
    }),
    onError,
  )
