import type { Month } from '@tatami/contract/lib/calendar-day'
import { randomBytes } from 'node:crypto'
import { beltTestLabels, type BeltTestLabels } from '@tatami/contract/dojos/belt-test'
import { INVALID_TIME_ZONE } from '@tatami/contract/dojos/dojos'
import { eq, sql } from 'drizzle-orm'
import { currentDojoId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { invalid } from '../lib/refusal.ts'
import { monthIn, todayIn } from './calendar.ts'
import { dojos } from './tables.ts'

export { todayIn } from './calendar.ts'

export type Dojo = typeof dojos.$inferSelect

export const newInviteCode = (): string => randomBytes(12).toString('base64url')

export const insertDojo = (
  tx: Tx,
  dojo: { id: string; name: string; city: string; state: string },
) => tx.insert(dojos).values({ ...dojo, invite_code: newInviteCode() })

export async function dojoById(tx: Tx, id: string): Promise<Dojo> {
  const [dojo] = await tx.select().from(dojos).where(eq(dojos.id, id))
  if (!dojo) throw new Error('The dojo of a signed-in member is missing')
  return dojo
}

export const currentMonthOf = async (tx: Tx, dojoId: string): Promise<Month> =>
  monthIn((await dojoById(tx, dojoId)).time_zone)

export const todayOf = async (tx: Tx, dojoId: string): Promise<string> =>
  todayIn((await dojoById(tx, dojoId)).time_zone)

/** Reads the words that the transaction's dojo uses for a belt test. */
export async function readBeltTestLabels(tx: Tx): Promise<BeltTestLabels> {
  const [dojo] = await tx
    .select({ belt_test_name: dojos.belt_test_name })
    .from(dojos)
    .where(eq(dojos.id, currentDojoId))
  if (!dojo) throw new Error('The dojo of this transaction is missing')
  return beltTestLabels(dojo.belt_test_name)
}

export const listTimeZones = async (tx: Tx): Promise<string[]> =>
  (await tx.selectDistinct({ time_zone: dojos.time_zone }).from(dojos)).map(
    ({ time_zone }) => time_zone,
  )

export async function changeDojo(
  tx: Tx,
  id: string,
  change: Partial<Pick<Dojo, 'name' | 'city' | 'state' | 'time_zone' | 'belt_test_name'>>,
) {
  const time_zone = change.time_zone && (await findDatabaseTimeZone(tx, change.time_zone))
  await tx
    .update(dojos)
    .set({ ...change, time_zone })
    .where(eq(dojos.id, id))
}

/** Returns the name as the database writes it. Refuses a time zone that only Node knows. */
async function findDatabaseTimeZone(tx: Tx, name: string): Promise<string> {
  const { rows } = await tx.execute<{ name: string }>(
    sql`select name from pg_timezone_names where lower(name) = lower(${name})`,
  )
  if (!rows[0]) throw invalid('time_zone', INVALID_TIME_ZONE)
  return rows[0].name
}
