import { hourIn, todayIn } from './dojos/calendar.ts'
import { allDojos, type Dojo } from './dojos/dojos.ts'
import { claimRun } from './dojos/runs.ts'
import { tellBirthdays } from './dashboard/birthdays.ts'
import { remindBySelf } from './announcements/reminders.ts'
import { tellOfFailures } from './messages/failures.ts'
import { admitWaiting } from './messages/waiting.ts'
import type { Database, Tx } from './kernel/database.ts'
import { workEveryMinute } from './kernel/queue.ts'

/** Every scheduled job: from which hour of each dojo's own day it is due. Once a dojo and day, late rather than not at all. */
const TIMETABLE: { job: string; hour: number; work: (tx: Tx, dojoId: string, today: string) => Promise<void> }[] = [
  { job: 'birthdays', hour: 7, work: tellBirthdays },
  { job: 'reminders', hour: 10, work: remindBySelf },
]

/** What is looked after in every dojo at every tick. */
const EVERY_MINUTE = [admitWaiting, tellOfFailures]

/** Does what is due in every dojo; a dojo that fails is tried again at the next tick and holds up no other. */
export async function doWhatIsDue(db: Database, onError: (error: unknown) => void): Promise<void> {
  for (const dojo of await db.withoutDojo(allDojos)) await doDojo(db, dojo).catch(onError)
}

async function doDojo(db: Database, { id, time_zone }: Dojo) {
  const today = todayIn(time_zone)
  for (const { job, work } of TIMETABLE.filter((entry) => hourIn(time_zone) >= entry.hour)) {
    await db.inDojo(id, async (tx) => {
      if (await claimRun(tx, job, today)) await work(tx, id, today)
    })
  }
  for (const look of EVERY_MINUTE) await db.inDojo(id, (tx) => look(tx, id))
}

/** Does so every minute, on one server of however many. Gives back its end, which waits for the work at hand. */
export const keepTimetable = (db: Database, onError: (error: unknown) => void): Promise<() => Promise<void>> =>
  workEveryMinute(db, 'timetable', () => doWhatIsDue(db, onError), onError)
