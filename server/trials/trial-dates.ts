import { addDays } from '@tatami/contract/lib/calendar-day'
import { DAY_MINUTES, parseMinutes } from '@tatami/contract/classes/classes'
import {
  classDatesBetween,
  type ClassDate,
  type DojoTime,
  hasBegun,
  minutesSince,
} from '@tatami/contract/calendar/timetable'
import { and, between, count, ne, sql } from 'drizzle-orm'
import { countTakenPlaces, listPeopleOnDate, readRoster } from '../calendar/dates/roster.ts'
import { readTimetable } from '../calendar/timetable/timetable.ts'
import type { Tx } from '../db/database.ts'
import type { OfferRow } from './offers.ts'
import { bookings } from './tables.ts'

/** A class date that visitors can book. */
export type TrialDate = {
  date: ClassDate
  offer: OfferRow
  /** Places that nobody waits for. Null if there is no limit. */
  freePlaces: number | null
  /** Places for those who wait. Null if there is no limit. */
  placesLeft: number | null
}

type Days = { from: string; until: string }

/** All dates of the offers that are still open for booking, soonest first. Full ones, too. */
export async function listTrialDates(
  tx: Tx,
  dojoTime: DojoTime,
  offers: readonly OfferRow[],
): Promise<TrialDate[]> {
  const maxDaysAhead = Math.max(0, ...offers.map(({ days_ahead }) => days_ahead))
  const days = { from: dojoTime.day, until: addDays(dojoTime.day, maxDaysAhead) }
  const offerByClass = new Map(
    offers.flatMap((offer) => offer.class_ids.map((classId) => [classId, offer] as const)),
  )
  const timetable = await readTimetable(tx, days.from, days.until)
  const openDates = classDatesBetween(timetable, days.from, days.until).flatMap((date) => {
    const offer = offerByClass.get(date.class_id)
    const isAhead = offer && date.day <= addDays(dojoTime.day, offer.days_ahead)
    return isAhead && date.status === 'on' && isOpen(date, offer, dojoTime) ? [{ date, offer }] : []
  })
  const placesByClass = new Map(timetable.classes.map(({ id, places }) => [id, places]))
  const classIds = [...offerByClass.keys()].filter((id) => placesByClass.get(id) != null)
  const roster = await readRoster(tx, { ...days, classIds })
  const trialCounts = await countTrialsByDate(tx, days)
  return openDates.map(({ date, offer }) => {
    const places = placesByClass.get(date.class_id) ?? null
    const { trials = 0, waiting = 0 } = trialCounts.get(dateKey(date)) ?? {}
    const trialPlaces = subtract(offer.trial_places, trials)
    const classPlaces = offer.uses_class_places
      ? subtract(places, countTakenPlaces(roster, date, listPeopleOnDate(roster, date)))
      : null
    const placesLeft = smallerLimit(trialPlaces, classPlaces)
    return { date, offer, placesLeft, freePlaces: subtract(placesLeft, waiting) }
  })
}

const subtract = (places: number | null, takenPlaces: number): number | null =>
  places === null ? null : Math.max(0, places - takenPlaces)

const smallerLimit = (first: number | null, second: number | null): number | null =>
  first === null || second === null ? (first ?? second) : Math.min(first, second)

const dateKey = ({ class_id, day }: { class_id: string; day: string }) => `${class_id} ${day}`

type TrialCounts = { trials: number; waiting: number }

async function countTrialsByDate(tx: Tx, { from, until }: Days): Promise<Map<string, TrialCounts>> {
  const rows = await tx
    .select({
      class_id: bookings.class_id,
      day: bookings.class_date,
      trials: count(sql`case when ${bookings.state} <> 'waiting' then 1 end`),
      waiting: count(sql`case when ${bookings.state} = 'waiting' then 1 end`),
    })
    .from(bookings)
    .where(and(between(bookings.class_date, from, until), ne(bookings.state, 'cancelled')))
    .groupBy(bookings.class_id, bookings.class_date)
  return new Map(rows.map((row) => [dateKey(row), row]))
}

type Cutoff = Pick<OfferRow, 'cutoff_minutes'>

/** Booking, moving and canceling end some time before the class. */
export function isOpen(date: ClassDate, { cutoff_minutes }: Cutoff, dojoTime: DojoTime): boolean {
  if (hasBegun(date, dojoTime)) return false
  const start = parseMinutes(date.start_time) ?? DAY_MINUTES
  return minutesSince(date.day, dojoTime) + cutoff_minutes <= start
}

export const isFull = ({ freePlaces }: TrialDate): boolean => freePlaces === 0
