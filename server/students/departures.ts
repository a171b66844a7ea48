import { firstDayOf } from '@tatami/contract/month'
import type { Tx } from '../db/database.ts'
import { monthIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { departures, type students } from './tables.ts'

/** Keeps that somebody left, not who: in which month, with which belt, and in which month they had enrolled. */
export async function recordDeparture(
  tx: Tx,
  dojoId: string,
  left: Pick<typeof students.$inferSelect, 'belt_level' | 'created_at'>,
) {
  const { time_zone } = await dojoById(tx, dojoId)
  const joined_month = firstDayOf(monthIn(time_zone, new Date(left.created_at)))
  await tx
    .insert(departures)
    .values({ month: firstDayOf(monthIn(time_zone)), belt_level: left.belt_level, joined_month })
}
