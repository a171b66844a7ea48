import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Tx } from '../kernel/database.ts'
import { monthIn } from './calendar.ts'
import { dojos } from './tables.ts'

export type Dojo = typeof dojos.$inferSelect

export const newInviteCode = (): string => randomBytes(12).toString('base64url')

/** Opens a dojo under an id that the transaction is already in. */
export const openDojo = (tx: Tx, dojo: { id: string; name: string; city: string; state: string }) =>
  tx.insert(dojos).values({ ...dojo, invite_code: newInviteCode() })

export async function dojoById(tx: Tx, id: string): Promise<Dojo> {
  const [dojo] = await tx.select().from(dojos).where(eq(dojos.id, id))
  if (!dojo) throw new Error('The dojo of a signed-in member is missing')
  return dojo
}

/** Every dojo, for the timetable. */
export const allDojos = (tx: Tx): Promise<Dojo[]> => tx.select().from(dojos)

/** The current month where the dojo is. */
export const monthOf = async (tx: Tx, dojoId: string) => monthIn((await dojoById(tx, dojoId)).time_zone)

export const changeDojo = (tx: Tx, id: string, change: Partial<Pick<Dojo, 'name' | 'city' | 'state'>>) =>
  tx.update(dojos).set(change).where(eq(dojos.id, id))
