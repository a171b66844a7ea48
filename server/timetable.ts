import { DEFAULT_TIME_ZONE } from '@tatami/contract/dojos'
import { REMINDERS } from '@tatami/contract/message-types'
import { type SQL, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { activeAmong } from './accounts/accounts.ts'
import { hourIn, todayIn } from './dojos/calendar.ts'
import { timeZonesOfDojos } from './dojos/dojos.ts'
import { claimRun, dojosToRun, hasRun } from './dojos/runs.ts'
import { dojos } from './dojos/tables.ts'
import { tellBirthdays } from './dashboard/birthdays.ts'
import { reminderOn, remindBySelf } from './texting/reminders.ts'
import { admitReminders } from './texting/waiting-reminders.ts'
import { dojosWithFailures, tellOfFailures } from './texting/delivery/notices.ts'
import { admitWelcomes, dojosWithWaiting } from './texting/waiting.ts'
import { asOverseer, type Database, type Tx } from './db/database.ts'
import { runEveryMinute } from './db/queue.ts'
import { OFFICE } from './notifications/notify.ts'
import { forgetOldOfDojo, forgetOldOfNobody } from './retention.ts'

/** The queue of its ticks. */
export const TIMETABLE = 'timetable'
/** Of a server's ten connections; the others are left to whoever is there. */
const DOJOS_AT_ONCE = 4

type Work = (tx: Tx, dojoId: string, today: string) => Promise<void>
type Job = {
  job: string
  /** From which hour of each dojo's own day it is due. Once a dojo and day, late rather than not at all. */
  hour: number
  work: Work
  /** Due in a dojo that is not active, too: nobody hears of it. */
  isHousekeeping?: true
  /** Which of the dojos have any work on such a day; all of them where it is not said. */
  only?: (over: Tx, today: string) => SQL | undefined
}

const NOWHERE = sql`false`

/** What is due once a day, in this order. */
const JOBS: Job[] = [
  { job: 'retention', hour: 3, work: forgetOldOfDojo, isHousekeeping: true },
  { job: 'birthdays', hour: 7, work: tellBirthdays },
  {
    job: 'waiting-reminders',
    hour: 10,
    work: admitReminders,
    // On a reminder's day it is noted everywhere: what finds no room on that day waits for the next.
    only: (over, today) => (reminderOn(today) ? undefined : sql`${dojos.id} in ${dojosWithWaiting(over, REMINDERS)}`),
  },
  { job: 'reminders', hour: 10, work: remindBySelf, only: (_, today) => (reminderOn(today) ? undefined : NOWHERE) },
]

/** The same for what belongs to no dojo, on the office's day. */
const OF_THE_OFFICE: Job = { job: 'retention', hour: 3, work: forgetOldOfNobody }

type Zone = { timeZone: string; day: string; hour: number }
type Due = { dojoId: string; isHousekeeping?: true; work: (tx: Tx) => Promise<void> }

/** Does what is due in every dojo; a dojo that fails is tried again at the next tick and holds up no other. */
export async function doWhatIsDue(db: Database, onError: (error: unknown) => void): Promise<void> {
  const due = await db.withoutDojo((tx) => asOverseer(tx, (over) => allDue(over, onError)))
  const limit = pLimit(DOJOS_AT_ONCE)
  await Promise.all(
    Map.groupBy(due, ({ dojoId }) => dojoId)
      .values()
      .map((ofDojo) => limit(() => doInTurn(db, ofDojo).catch(onError))),
  )
}

async function doInTurn(db: Database, due: Due[]) {
  for (const { dojoId, work } of due) await db.inDojo(dojoId, work)
}

/** One question for all dojos together, whatever their number: a transaction of its own is for a dojo that has something to do. */
async function allDue(over: Tx, onError: (error: unknown) => void): Promise<Due[]> {
  const zones = (await timeZonesOfDojos(over)).flatMap((timeZone): Zone[] => {
    try {
      return [{ timeZone, day: todayIn(timeZone), hour: hourIn(timeZone) }]
    } catch (error) {
      onError(error)
      return []
    }
  })
  const due: Due[] = []
  for (const job of JOBS) due.push(...(await dueOf(over, job, zones)))
  for (const { dojo_id } of await dojosWithWaiting(over, ['welcome']))
    due.push({ dojoId: dojo_id, work: (tx) => admitWelcomes(tx, dojo_id) })
  for (const dojoId of await dojosWithFailures(over)) due.push({ dojoId, work: (tx) => tellOfFailures(tx, dojoId) })
  const active = await activeAmong(over, [...new Set(due.map(({ dojoId }) => dojoId))])
  const ofDojos = due.filter(({ dojoId, isHousekeeping }) => isHousekeeping || active.has(dojoId))
  return [...(await dueInOffice(over)), ...ofDojos]
}

async function dueOf(over: Tx, job: Job, zones: Zone[]): Promise<Due[]> {
  const due: Due[] = []
  // Around the earth there are three dates at most.
  for (const [today, sameDay] of Map.groupBy(zones, ({ day }) => day)) {
    const awake = sameDay.filter(({ hour }) => hour >= job.hour).map(({ timeZone }) => timeZone)
    const only = job.only?.(over, today)
    if (awake.length === 0 || only === NOWHERE) continue
    for (const dojoId of await dojosToRun(over, job.job, today, awake, only)) due.push(claimed(job, dojoId, today))
  }
  return due
}

async function dueInOffice(over: Tx): Promise<Due[]> {
  const { job, hour } = OF_THE_OFFICE,
    today = todayIn(DEFAULT_TIME_ZONE)
  const isDue = hourIn(DEFAULT_TIME_ZONE) >= hour && !(await hasRun(over, job, today, OFFICE))
  return isDue ? [claimed(OF_THE_OFFICE, OFFICE, today)] : []
}

/** Claimed as its transaction begins: another server may have asked what is due at the same moment. */
const claimed = ({ job, work, isHousekeeping }: Job, dojoId: string, today: string): Due => ({
  dojoId,
  ...(isHousekeeping && { isHousekeeping }),
  work: async (tx) => {
    if (await claimRun(tx, job, today)) await work(tx, dojoId, today)
  },
})

/** Does so every minute, on one server of however many. Gives back its end, which waits for the work at hand. */
export const keepTimetable = (db: Database, onError: (error: unknown) => void): Promise<() => Promise<void>> =>
  runEveryMinute(db, TIMETABLE, () => doWhatIsDue(db, onError), onError)
