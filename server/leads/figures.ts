import { type ResponseTime, type SourceFigures, STAYED_DAYS } from '@tatami/contract/leads/sources'
import { addDays, DAY_MS, daysSinceSunday } from '@tatami/contract/lib/calendar-day'
import { toCents, toDollars } from '@tatami/contract/lib/money'
import { CONTACT_WAYS, type LeadEventKind } from '@tatami/contract/leads/stages'
import { gte } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { now } from '../lib/clock.ts'
import { pick } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { leads } from '../trials/tables.ts'
import { describeLead, type LeadStory, listEvents, readStories } from '../trials/lead-stories.ts'
import { leadSources } from './tables.ts'

const FIGURE_DAYS = 365
const DAYS_PER_MONTH = FIGURE_DAYS / 12

const firstInstant = (): string => new Date(now().getTime() - FIGURE_DAYS * DAY_MS).toISOString()

type Zone = { today: string; timeZone: string }
type StudentDays = { enrolledOn: string; leftOn: string | null }

/** Counts the leads of the last year. Each lead counts once for each column. */
export async function readSourceFigures(tx: Tx, zone: Zone): Promise<SourceFigures[]> {
  const stories = await readStories(tx, gte(leads.created_at, firstInstant()))
  const studentDays = await readStudentDays(tx, stories, zone.timeZone)
  const costs = await readYearlyCosts(tx)
  const storiesBySource = Map.groupBy(stories, ({ lead }) => lead.source)
  const figures = [...storiesBySource].map(([source, sourceStories]) => {
    const joinedCount = sourceStories.filter(
      (story) => describeLead(story, zone.today).stage === 'joined',
    ).length
    const cents = costs.get(source)
    return {
      source,
      leads: sourceStories.length,
      booked: sourceStories.filter(hasEverBooked).length,
      came: sourceStories.filter(hasTrial('came')).length,
      joined: joinedCount,
      ...countStayed(sourceStories, studentDays, zone.today),
      cost_per_joined:
        cents === undefined || joinedCount === 0
          ? null
          : toDollars(Math.round(cents / joinedCount)),
    }
  })
  return figures.toSorted((a, b) => b.leads - a.leads || a.source.localeCompare(b.source, 'en'))
}

const hasTrial =
  (...states: string[]) =>
  ({ bookings }: LeadStory): boolean =>
    bookings.some(({ state }) => states.includes(state))

/** A trial that was canceled later counts, too. */
const hasEverBooked = (story: LeadStory): boolean =>
  hasTrial('held', 'booked', 'came', 'missed')(story) ||
  story.events.some(({ kind }) => kind === 'cancelled')

const studentIdsOf = ({ visitors }: LeadStory): string[] =>
  visitors.flatMap(({ student_id }) => student_id ?? [])

async function readStudentDays(
  tx: Tx,
  stories: readonly LeadStory[],
  timeZone: string,
): Promise<Map<string, StudentDays>> {
  const rows = await tx
    .select(pick(students, 'id', 'created_at', 'left_on'))
    .from(students)
    .where(equalsAny(students.id, stories.flatMap(studentIdsOf)))
  return new Map(
    rows.map(({ id, created_at, left_on }) => [
      id,
      { enrolledOn: todayIn(timeZone, new Date(created_at)), leftOn: left_on },
    ]),
  )
}

/** Deleted students count as enrolled neither long ago nor recently. */
function countStayed(
  stories: readonly LeadStory[],
  studentDays: ReadonlyMap<string, StudentDays>,
  today: string,
) {
  const earlyStudents = stories
    .flatMap(studentIdsOf)
    .flatMap((id) => studentDays.get(id) ?? [])
    .map(({ enrolledOn, leftOn }) => ({ stayedOn: addDays(enrolledOn, STAYED_DAYS), leftOn }))
    .filter(({ stayedOn }) => stayedOn <= today)
  return {
    enrolled_90_days_ago: earlyStudents.length,
    stayed_90_days: earlyStudents.filter(
      ({ stayedOn, leftOn }) => leftOn === null || leftOn >= stayedOn,
    ).length,
  }
}

/** In cents, by the name of the source: what it cost within the last year. */
async function readYearlyCosts(tx: Tx): Promise<Map<string, number>> {
  const sources = await tx.select().from(leadSources)
  return new Map(
    sources.flatMap(({ name, monthly_cost, created_at }) => {
      if (monthly_cost === null) return []
      const days = (now().getTime() - Date.parse(created_at)) / DAY_MS
      const months = Math.ceil(Math.min(days, FIGURE_DAYS) / DAYS_PER_MONTH)
      return [[name, toCents(monthly_cost) * Math.max(1, months)] as const]
    }),
  )
}

const isContact = (kind: LeadEventKind): boolean =>
  (CONTACT_WAYS as readonly LeadEventKind[]).includes(kind)

/** Leaves out leads whom staff added, because somebody was talking to them already. */
export async function readResponseTimes(tx: Tx, { timeZone }: Zone): Promise<ResponseTime[]> {
  const stories = await readStories(tx, gte(leads.created_at, firstInstant()))
  const waits = stories
    .filter(({ lead }) => lead.created_by === null)
    .map((story) => ({
      weekday: daysSinceSunday(todayIn(timeZone, new Date(story.lead.created_at))),
      minutes: minutesToFirstContact(story),
    }))
  const waitsByWeekday = [...Map.groupBy(waits, ({ weekday }) => weekday)]
  return waitsByWeekday
    .map(([weekday, dayWaits]) => {
      const minutes = dayWaits.flatMap((wait) => wait.minutes ?? [])
      return {
        weekday,
        leads: dayWaits.length,
        contacted: minutes.length,
        minutes: findMedian(minutes),
      }
    })
    .toSorted((a, b) => a.weekday - b.weekday)
}

function minutesToFirstContact(story: LeadStory): number | null {
  const firstContact = listEvents(story).find(({ kind }) => isContact(kind))
  if (!firstContact) return null
  return Math.round((Date.parse(firstContact.at) - Date.parse(story.lead.created_at)) / 60_000)
}

const findMedian = (numbers: readonly number[]): number | null =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? null
