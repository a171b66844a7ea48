import type { Sensei } from '@tatami/contract/sensei'
import { and, asc, count, eq, not, sql } from 'drizzle-orm'
import { isDojoActive } from '../accounts/accounts.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { accounts } from '../accounts/tables.ts'
import { audit } from '../audit/audit.ts'
import { dojos } from '../dojos/tables.ts'
import { asOverseer, type Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import type { Caller } from '../http/serve.ts'
import { students } from '../students/tables.ts'
import { instructors } from './tables.ts'

/** Every sensei of every dojo with the number of their dojo's students, newest first. */
export const allSensei = (tx: Tx): Promise<Sensei[]> =>
  asOverseer(tx, (overseer) =>
    overseer
      .select({
        sensei_id: instructors.id,
        full_name: instructors.name,
        dojo_name: dojos.name,
        contact_number: instructors.phone_number,
        email: instructors.email,
        city: dojos.city,
        state: dojos.state,
        total_students: sql<number>`(select count(*)::int from ${students} s where s.dojo_id = ${instructors.dojo_id})`,
        is_active: accounts.is_active,
        created_at: instructors.created_at,
      })
      .from(instructors)
      .innerJoin(accounts, eq(accounts.id, instructors.id))
      .innerJoin(dojos, eq(dojos.id, instructors.dojo_id))
      .orderBy(sql`${instructors.created_at} desc`, asc(instructors.id)),
  )

export async function senseiStats(tx: Tx) {
  const active = count(sql`case when ${accounts.is_active} then 1 end`)
  const [n] = await tx.select({ total: count(), active }).from(accounts).where(eq(accounts.role, 'instructor'))
  return { total_sensei: n!.total, active_sensei: n!.active, inactive_sensei: n!.total - n!.active }
}

/** Deactivating ends all sessions of the account, and those of the dojo's students when no other instructor is active. */
export async function toggleActive(tx: Tx, sessions: Sessions, caller: Caller, id: string): Promise<{ is_active: boolean }> {
  const [account] = await tx
    .update(accounts)
    .set({ is_active: not(accounts.is_active) })
    .where(and(eq(accounts.id, id), eq(accounts.role, 'instructor')))
    .returning()
  if (!account) throw notFound('Sensei')
  const { is_active, dojo_id } = account
  if (!is_active) await sessions.endSessionsOfAccount(tx, id)
  if (!is_active && !(await isDojoActive(tx, dojo_id!))) await sessions.endSessionsOfDojo(tx, dojo_id!)
  await audit(tx, { actor_id: caller.id, dojo_id, action: is_active ? 'sensei activated' : 'sensei deactivated', subject_id: id })
  return { is_active }
}
