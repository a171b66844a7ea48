import { DEFAULT_TIME_ZONE } from '@tatami/contract/dojos'
import { isDojoActive } from './accounts/accounts.ts'
import { hourIn, todayIn } from './dojos/calendar.ts'
import { allDojos } from './dojos/dojos.ts'
import { claimRun } from './dojos/runs.ts'
import { tellBirthdays } from './dashboard/birthdays.ts'
import { remindBySelf } from './announcements/reminders.ts'
import { admitReminders } from './announcements/waiting-reminders.ts'
import { tellOfFailures } from './messages/failures.ts'
import { admitWelcomes } from './messages/waiting.ts'
import type { Database, Tx } from './kernel/database.ts'
import { workEveryMinute } from './kernel/queue.ts'
import { OFFICE } from './notifications/notify.ts'
import { forgetOldOfDojo, forgetOldOfNobody } from './retention.ts'

/** The queue of its ticks. */
export const TIMETABLE = 'timetable'

type Job = { job: string; hour: number; work: (tx: Tx, dojoId: string, today: string) => Promise<void> }

/** Every scheduled job: from which hour of each dojo's own day it is due. Once a dojo and day, late rather than not at all. */
const OF_A_DOJO: Job[] = [
  { job: 'birthdays', hour: 7, work: tellBirthdays },
  { job: 'waiting-reminders', hour: 10, work: admitReminders },
  { job: 'reminders', hour: 10, work: remindBySelf },
]

/** Due in a dojo that is not active, too: nobody hears of it. */
const HOUSEKEEPING: Job[] = [{ job: 'retention', hour: 3, work: forgetOldOfDojo }]

/** The same for what belongs to no dojo, on the office's day. */
const OF_THE_OFFICE: Job[] = [{ job: 'retention', hour: 3, work: forgetOldOfNobody }]

/** What is looked after in every active dojo at every tick. */
const EVERY_MINUTE = [admitWelcomes, tellOfFailures]

/** Does what is due in every dojo; a dojo that fails is tried again at the next tick and holds up no other. */
export async function doWhatIsDue(db: Database, onError: (error: unknown) => void): Promise<void> {
  await doJobs(db, OF_THE_OFFICE, OFFICE, DEFAULT_TIME_ZONE).catch(onError)
  for (const { id, time_zone } of await db.withoutDojo(allDojos)) await doDojo(db, id, time_zone).catch(onError)
}

async function doDojo(db: Database, id: string, timeZone: string) {
  await doJobs(db, HOUSEKEEPING, id, timeZone)
  if (!(await db.withoutDojo((tx) => isDojoActive(tx, id)))) return
  await doJobs(db, OF_A_DOJO, id, timeZone)
  for (const look of EVERY_MINUTE) await db.inDojo(id, (tx) => look(tx, id))
}

async function doJobs(db: Database, jobs: Job[], id: string, timeZone: string) {
  const today = todayIn(timeZone)
  for (const { job, work } of jobs.filter((entry) => hourIn(timeZone) >= entry.hour)) {
    await db.inDojo(id, async (tx) => {
      if (await claimRun(tx, job, today)) await work(tx, id, today)
    })
  }
}

/** Does so every minute, on one server of however many. Gives back its end, which waits for the work at hand. */
export const keepTimetable = (db: Database, onError: (error: unknown) => void): Promise<() => Promise<void>> =>
  workEveryMinute(db, TIMETABLE, () => doWhatIsDue(db, onError), onError)
