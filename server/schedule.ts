import { addDays } from '@tatami/contract/lib/calendar-day'
import { DEFAULT_TIME_ZONE } from '@tatami/contract/dojos/dojos'
import { REMINDERS } from '@tatami/contract/texting/message-types'
import { type SQL, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { findActiveDojos } from './accounts/accounts.ts'
import {
  announceOutgrowingStudents,
  selectDojosWithOutgrowingStudents,
} from './belts/outgrowing.ts'
import { hourIn, todayIn } from './dojos/calendar.ts'
import { findDojosWithDocuments, sendDocumentNotices } from './documents/notices.ts'
import { deleteEndedSignatures } from './documents/retirement.ts'
import { listTimeZones } from './dojos/dojos.ts'
import { claimJobRun, findDueDojos, hasJobRun } from './dojos/job-runs.ts'
import { dojos, jobRuns } from './dojos/tables.ts'
import { findDojosWithWaitingPlaceTexts, sendPlaceTexts } from './messages/place-texts.ts'
import { findDojosWithBirthdays, notifyBirthdays } from './dashboard/dashboard.ts'
import { findDojosWithNewAdults, handleAdulthood } from './families/adulthood.ts'
import { deleteClosedLogins, findDojosWithClosedLogins } from './guardians/logins.ts'
import { hasPlanNotices, sendPlanNotices } from './memberships/notices.ts'
import {
  announceFirstReminder,
  whereFirstReminderUnannounced,
  findReminderToAnnounce,
} from './messages/first-reminder.ts'
import { findReminderDueOn, sendDueReminder, sendWaitingReminders } from './messages/reminders.ts'
import { findDojosWithFailures, notifyFailures } from './texting/history.ts'
import { admitWelcomeTexts, findDojosWithWaitingTexts } from './texting/allowance.ts'
import { chargeEndedMonths, hasEndedMonth } from './dues/month-charges.ts'
import {
  findDojosWithCertificateNotices,
  sendCertificateNotices,
} from './staff/certificates/notices.ts'
import { findDojosWithEndedStaff, endMembersPastLastDay } from './staff/membership.ts'
import { hasOpenSubscriptions, runPlans } from './memberships/nightly.ts'
import { runAutopay, dojosWithAutopay } from './online-payment/autopay/run.ts'
import {
  findDojosWithDeclineNotices,
  sendDeclineNotices,
} from './online-payment/autopay/decline-notices.ts'
import {
  checkTrials,
  findDojosWithTrialsOn,
  findDojosWithTrialsToCheck,
  findDojosWithUnmarkedTrials,
  markMissedTrials,
  MISSED_DAYS,
  sendMissedNotices,
  sendTrialReminders,
} from './trials/notices.ts'
import { findDojosWithWaitingTrials, giveTrialPlaces } from './trials/waitlist.ts'
import { findDojosWithFollowups, runFollowups } from './followups/daily.ts'
import { announceReferrals, findDojosWithReferrals } from './leads/referrals.ts'
import { deleteInactiveLeads, findDojosWithInactiveLeads } from './leads/retention.ts'
import { findDojosWithVacationChanges, updateVacations } from './students/vacations.ts'
import { asOverseer, type Database, type Tx } from './db/database.ts'
import { runEveryMinute } from './db/queue.ts'
import { ADMIN_INBOX_ID } from './notifications/notify.ts'
import { deleteExpiredGlobal, deleteExpiredOfDojo, findDojosWithExpired } from './retention.ts'
import type { Email } from './lib/mail.ts'
import { type ClockLog, whileClocksAgree } from './db/trusted-clock.ts'

export const SCHEDULE_QUEUE = 'schedule'
/** Each dojo uses one of ten database connections. The rest serve requests. */
const MAX_CONCURRENT_DOJOS = 4

/** A job may return emails, which are sent after its transaction. Links start with `publicUrl`. */
type JobFunction = (
  tx: Tx,
  dojoId: string,
  today: string,
  publicUrl: string,
) => Promise<Email[] | void>
type Job = {
  job: string
  /** The job is due once a day, from this hour on in the dojo's time zone. */
  hour: number
  work: JobFunction
  /** Housekeeping also runs in inactive dojos. */
  isHousekeeping?: true
  /** Returns a condition for the dojos that have work on that day. Without it, all have. */
  createFilter?: (overseerTx: Tx, today: string) => SQL | undefined
}

const NO_DOJO = sql`false`

const JOBS: Job[] = [
  // Runs before vacations change, because it charges the previous month.
  {
    job: 'month-charges',
    hour: 0,
    work: chargeEndedMonths,
    createFilter: (_, today) => hasEndedMonth(today),
  },
  // Runs after the months were charged at the fees that plans now change.
  {
    job: 'plans',
    hour: 0,
    work: runPlans,
    createFilter: () => hasOpenSubscriptions(),
  },
  // Runs before reminders, which skip students on vacation.
  {
    job: 'vacations',
    hour: 0,
    work: updateVacations,
    isHousekeeping: true,
    createFilter: (_, today) => sql`${dojos.id} in (${findDojosWithVacationChanges(today)})`,
  },
  {
    job: 'retention',
    hour: 3,
    work: deleteExpiredOfDojo,
    isHousekeeping: true,
    createFilter: () => sql`${dojos.id} in (${findDojosWithExpired()})`,
  },
  {
    job: 'closed-log-ins',
    hour: 3,
    work: deleteClosedLogins,
    isHousekeeping: true,
    createFilter: () => sql`${dojos.id} in (${findDojosWithClosedLogins()})`,
  },
  {
    job: 'signatures',
    hour: 3,
    work: deleteEndedSignatures,
    isHousekeeping: true,
    createFilter: () => sql`${dojos.id} in (${findDojosWithDocuments()})`,
  },
  {
    job: 'referrals',
    hour: 7,
    work: announceReferrals,
    createFilter: () => sql`${dojos.id} in (${findDojosWithReferrals()})`,
  },
  {
    job: 'inactive-leads',
    hour: 7,
    work: deleteInactiveLeads,
    isHousekeeping: true,
    createFilter: (_, today) => sql`${dojos.id} in (${findDojosWithInactiveLeads(today)})`,
  },
  {
    job: 'ended-staff',
    hour: 0,
    work: endMembersPastLastDay,
    isHousekeeping: true,
    createFilter: (_, today) => sql`${dojos.id} in (${findDojosWithEndedStaff(today)})`,
  },
  {
    job: 'adulthood',
    hour: 0,
    work: handleAdulthood,
    isHousekeeping: true,
    createFilter: (_, today) =>
      sql`${dojos.id} in (${findDojosWithNewAdults(today, selectLastRunBefore(today))})`,
  },
  {
    job: 'outgrowing',
    hour: 7,
    work: announceOutgrowingStudents,
    createFilter: (_, today) => sql`${dojos.id} in (${selectDojosWithOutgrowingStudents(today)})`,
  },
  {
    job: 'plan-notices',
    hour: 7,
    work: sendPlanNotices,
    createFilter: (_, today) => hasPlanNotices(today),
  },
  {
    job: 'birthdays',
    hour: 7,
    work: notifyBirthdays,
    createFilter: (_, today) => sql`${dojos.id} in (${findDojosWithBirthdays(today)})`,
  },
  {
    job: 'certificates',
    hour: 7,
    work: sendCertificateNotices,
    createFilter: (_, today) => sql`${dojos.id} in (${findDojosWithCertificateNotices(today)})`,
  },
  {
    job: 'missed-trials',
    hour: 9,
    work: sendMissedNotices,
    createFilter: (overseerTx, today) =>
      whereTrialsOn(overseerTx, addDays(today, -MISSED_DAYS), addDays(today, -1)),
  },
  // In the afternoon, so that also trials booked today for tomorrow evening are included.
  {
    job: 'trial-reminders',
    hour: 17,
    work: sendTrialReminders,
    createFilter: (overseerTx, today) =>
      whereTrialsOn(overseerTx, addDays(today, 1), addDays(today, 1)),
  },
  {
    job: 'document-notices',
    hour: 7,
    work: sendDocumentNotices,
    createFilter: () => sql`${dojos.id} in (${findDojosWithDocuments()})`,
  },
  {
    job: 'first-reminder',
    hour: 7,
    work: announceFirstReminder,
    createFilter: (_, today) =>
      findReminderToAnnounce(today) ? whereFirstReminderUnannounced() : NO_DOJO,
  },
  {
    job: 'followups',
    hour: 10,
    work: runFollowups,
    createFilter: () => sql`${dojos.id} in (${findDojosWithFollowups()})`,
  },
  // Runs before reminders, so that what is on its way from the bank is known.
  {
    job: 'autopay',
    hour: 10,
    work: runAutopay,
    createFilter: () => sql`${dojos.id} in (${dojosWithAutopay()})`,
  },
  {
    job: 'waiting-reminders',
    hour: 10,
    work: sendWaitingReminders,
    // On a reminder's day, runs in every dojo, because the daily limit may leave texts for the next
    // day.
    createFilter: (overseerTx, today) =>
      findReminderDueOn(today)
        ? undefined
        : sql`${dojos.id} in ${findDojosWithWaitingTexts(overseerTx, REMINDERS)}`,
  },
  {
    job: 'reminders',
    hour: 10,
    work: sendDueReminder,
    createFilter: (_, today) => (findReminderDueOn(today) ? undefined : NO_DOJO),
  },
]

const whereTrialsOn = (overseerTx: Tx, firstDay: string, lastDay: string): SQL =>
  sql`${dojos.id} in ${findDojosWithTrialsOn(overseerTx, firstDay, lastDay)}`

const ADMIN_JOB: Job = { job: 'retention', hour: 3, work: deleteExpiredGlobal }

/** The last day before today on which the nightly job of the super admins ran. */
const selectLastRunBefore = (today: string): SQL =>
  sql`(select max(${jobRuns.day}) from ${jobRuns}
    where ${jobRuns.dojo_id} = ${ADMIN_INBOX_ID} and ${jobRuns.job} = ${ADMIN_JOB.job}
      and ${jobRuns.day} < ${today}::date)`

type SendEmail = (email: Email) => void
type Delivery = { sendEmail: SendEmail; publicUrl: string }
type Zone = { timeZone: string; day: string; hour: number }
type DueJob = {
  dojoId: string
  isHousekeeping?: true
  work: (tx: Tx, publicUrl: string) => Promise<Email[] | void>
}

/** If a job of a dojo fails, the jobs of other dojos still run. The failed job is retried a minute
 *  later. */
export async function runDueJobs(
  db: Database,
  onError: (error: unknown) => void,
  sendEmail: SendEmail = () => {},
  publicUrl = '',
): Promise<void> {
  const dueJobs = await db.withoutDojo((tx) =>
    asOverseer(tx, (overseerTx) => findDueJobs(overseerTx, onError)),
  )
  const limit = pLimit(MAX_CONCURRENT_DOJOS)
  await Promise.all(
    Map.groupBy(dueJobs, ({ dojoId }) => dojoId)
      .values()
      .map((jobs) => limit(() => runInOrder(db, jobs, { sendEmail, publicUrl }).catch(onError))),
  )
}

async function runInOrder(db: Database, jobs: DueJob[], { sendEmail, publicUrl }: Delivery) {
  for (const { dojoId, work } of jobs) {
    const emails = await db.inDojo(dojoId, (tx) => work(tx, publicUrl))
    emails?.forEach(sendEmail)
  }
}

/** Makes a few queries for all dojos, so that only dojos with work need a transaction. */
async function findDueJobs(overseerTx: Tx, onError: (error: unknown) => void): Promise<DueJob[]> {
  const zones = (await listTimeZones(overseerTx)).flatMap((timeZone): Zone[] => {
    try {
      return [{ timeZone, day: todayIn(timeZone), hour: hourIn(timeZone) }]
    } catch (error) {
      onError(error)
      return []
    }
  })
  const dueJobs: DueJob[] = []
  for (const job of JOBS) dueJobs.push(...(await findJobsOfDueDojos(overseerTx, job, zones)))
  for (const { dojo_id } of await findDojosWithWaitingTexts(overseerTx, ['welcome']))
    dueJobs.push({ dojoId: dojo_id, work: (tx) => admitWelcomeTexts(tx, dojo_id) })
  for (const { dojo_id } of await findDojosWithWaitingPlaceTexts(overseerTx))
    dueJobs.push({ dojoId: dojo_id, work: (tx) => sendPlaceTexts(tx, dojo_id) })
  for (const dojoId of await findDojosWithFailures(overseerTx))
    dueJobs.push({ dojoId, work: (tx) => notifyFailures(tx, dojoId) })
  for (const dojoId of await findDojosWithDeclineNotices(overseerTx))
    dueJobs.push({ dojoId, work: (tx, publicUrl) => sendDeclineNotices(tx, dojoId, publicUrl) })
  for (const dojoId of await findDojosWithUnmarkedTrials(overseerTx))
    dueJobs.push({ dojoId, work: markMissedTrials })
  for (const dojoId of await findDojosWithWaitingTrials(overseerTx))
    dueJobs.push({ dojoId, work: (tx, publicUrl) => giveTrialPlaces(tx, dojoId, publicUrl) })
  for (const dojoId of await findDojosWithTrialsToCheck(overseerTx))
    dueJobs.push({ dojoId, work: (tx, publicUrl) => checkTrials(tx, dojoId, publicUrl) })
  const dojoIds = [...new Set(dueJobs.map(({ dojoId }) => dojoId))]
  const activeDojos = await findActiveDojos(overseerTx, dojoIds)
  const dojoJobs = dueJobs.filter(
    ({ dojoId, isHousekeeping }) => isHousekeeping || activeDojos.has(dojoId),
  )
  return [...(await findDueAdminJobs(overseerTx)), ...dojoJobs]
}

async function findJobsOfDueDojos(overseerTx: Tx, job: Job, zones: Zone[]): Promise<DueJob[]> {
  const dueJobs: DueJob[] = []
  // There are at most three calendar dates on earth at a time.
  for (const [today, zonesOfDay] of Map.groupBy(zones, ({ day }) => day)) {
    const dueZones = zonesOfDay
      .filter(({ hour }) => hour >= job.hour)
      .map(({ timeZone }) => timeZone)
    const dojoFilter = job.createFilter?.(overseerTx, today)
    if (dueZones.length === 0 || dojoFilter === NO_DOJO) continue
    for (const dojoId of await findDueDojos(overseerTx, job.job, today, dueZones, dojoFilter))
      dueJobs.push(createDueJob(job, dojoId, today))
  }
  return dueJobs
}

async function findDueAdminJobs(overseerTx: Tx): Promise<DueJob[]> {
  const { job, hour } = ADMIN_JOB,
    today = todayIn(DEFAULT_TIME_ZONE)
  const isDue =
    hourIn(DEFAULT_TIME_ZONE) >= hour && !(await hasJobRun(overseerTx, job, today, ADMIN_INBOX_ID))
  return isDue ? [createDueJob(ADMIN_JOB, ADMIN_INBOX_ID, today)] : []
}

/** The job is claimed in its own transaction, so it can be claimed again if it fails. */
const createDueJob = (
  { job, work, isHousekeeping }: Job,
  dojoId: string,
  today: string,
): DueJob => ({
  dojoId,
  ...(isHousekeeping && { isHousekeeping }),
  work: async (tx, publicUrl) => {
    if (await claimJobRun(tx, job, today)) return work(tx, dojoId, today, publicUrl)
  },
})

/** Runs due jobs on one server at a time, while the clock is trusted. `runAlongside` may take
 *  longer than a minute. The returned function waits for the running jobs and stops the
 *  schedule. */
export const startScheduler = (
  db: Database,
  onError: (error: unknown) => void,
  clockLog: ClockLog,
  { sendEmail, publicUrl }: Delivery,
  runAlongside: () => Promise<void> = async () => {},
): Promise<() => Promise<void>> =>
  runEveryMinute(
    db,
    SCHEDULE_QUEUE,
    whileClocksAgree(db, clockLog, () => {
      runAlongside().catch(onError)
      return runDueJobs(db, onError, sendEmail, publicUrl)
    }),
    onError,
  )
