/** Deletes leads with whom nothing has happened for months, after the school was told. */
import { DELETION_NOTICE_DAYS, KEPT_MONTHS } from '@tatami/contract/leads/settings'
import { findStage } from '@tatami/contract/leads/stages'
import { addDays, addMonthsToDay } from '@tatami/contract/lib/calendar-day'
import { and, eq, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { formatFullDate } from '../lib/format-day.ts'
import { pluck } from '../lib/rows.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { forgetVisitorPhones } from '../texting/departure.ts'
import { leads } from '../trials/tables.ts'
import { readLeadSettings } from './settings.ts'
import { listEvents, readStories } from '../trials/lead-stories.ts'

/** True for leads without activity for so many months, except for the days of the notice. */
const isInactive = (today: string, months: number): SQL =>
  lt(leads.last_active_at, addDays(addMonthsToDay(today, -months), DELETION_NOTICE_DAYS))

/** For the overseer: the dojos that may have leads to delete, or to tell the school about. */
export const findDojosWithInactiveLeads = (today: string): SQL =>
  sql`select ${leads.dojo_id} from ${leads} where ${isInactive(today, Math.min(...KEPT_MONTHS))}`

export async function deleteInactiveLeads(tx: Tx, dojoId: string, today: string): Promise<void> {
  const { kept_months } = await readLeadSettings(tx)
  const inactiveLeads = await tx
    .select({ id: leads.id })
    .from(leads)
    .where(
      and(
        isInactive(today, kept_months),
        isNull(leads.merged_into),
        isAnnounced(today),
        lte(leads.deletion_on, today),
      ),
    )
  for (const { id } of inactiveLeads) await deleteLead(tx, id)
  await announceDeletions(tx, dojoId, today, kept_months)
}

/** An old notice does not count, and neither does one from before the last activity. */
const isAnnounced = (today: string): SQL =>
  sql`(${leads.deletion_on} >= ${addDays(today, -DELETION_NOTICE_DAYS)}::date
    and ${leads.last_active_at} < ${leads.deletion_on} - ${sql.raw(String(DELETION_NOTICE_DAYS))})`

/** Nobody is told about leads who joined, because their students stay. */
async function announceDeletions(
  tx: Tx,
  dojoId: string,
  today: string,
  keptMonths: number,
): Promise<void> {
  const isUnannounced = sql`${isAnnounced(today)} is not true`
  const stories = await readStories(tx, and(isInactive(today, keptMonths), isUnannounced))
  if (stories.length === 0) return
  const ids = stories.map(({ lead }) => lead.id)
  const deletion_on = addDays(today, DELETION_NOTICE_DAYS)
  await tx.update(leads).set({ deletion_on }).where(equalsAny(leads.id, ids))
  const names = stories
    .filter((story) => findStage(listEvents(story)).stage !== 'joined')
    .map(({ lead }) => lead.name)
  if (names.length === 0) return
  await notifyStaff(tx, dojoId, 'students.edit', {
    title: names.length === 1 ? 'A lead will be deleted' : `${names.length} leads will be deleted`,
    message:
      `On ${formatFullDate(deletion_on)}: ${listNames(names)}. ` +
      `Nothing has happened with them for almost ${keptMonths} months. To keep somebody, call or ` +
      'write a note.',
    opens: '/leads',
  })
}

const NAMED_LEADS = 5

function listNames(names: readonly string[]): string {
  const namedLeads = names.slice(0, NAMED_LEADS).join(', ')
  const otherCount = names.length - NAMED_LEADS
  return otherCount > 0 ? `${namedLeads} and ${otherCount} more` : namedLeads
}

/** Deletes a lead with the leads that were merged into it, their stories, trials and texts.
 *  Consents and opt-outs stay as hashes. */
export async function deleteLead(tx: Tx, id: string): Promise<void> {
  const deletedLeads = await tx
    .delete(leads)
    .where(or(eq(leads.id, id), eq(leads.merged_into, id)))
    .returning({ phone: leads.phone })
  const phones = new Set(pluck(deletedLeads, 'phone').filter((phone) => phone !== null))
  const keptLeads = await tx
    .select({ phone: leads.phone })
    .from(leads)
    .where(equalsAny(leads.phone, [...phones]))
  for (const { phone } of keptLeads) if (phone !== null) phones.delete(phone)
  await forgetVisitorPhones(tx, [...phones])
}
