import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { Refusal } from '../lib/refusal.ts'
import { sha256 } from '../lib/secrets.ts'
import { firstRow } from '../lib/rows.ts'
import { idempotencyKeys } from './tables.ts'

/** A hash of few possibilities reveals its input, so passwords are left out. */
const withoutPasswords = (field: string, value: unknown) =>
  field.includes('password') ? undefined : value

/** Does the work once per key and stores the reply, which must contain no token and no password. A
 *  second call waits for the first; a refused one may be repeated. */
export async function withIdempotencyKey<T>(
  tx: Tx,
  key: string,
  request: object,
  work: () => Promise<T>,
): Promise<T> {
  const request_hash = sha256(JSON.stringify(request, withoutPasswords))
  const isKey = eq(idempotencyKeys.key, key)
  const [isFirst] = await tx
    .insert(idempotencyKeys)
    .values({ key, request_hash })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key })
  if (!isFirst) {
    const first = firstRow(await tx.select().from(idempotencyKeys).where(isKey))
    if (first.request_hash !== request_hash)
      throw new Refusal(409, 'This Idempotency-Key was used for another request')
    if (first.reply === null)
      throw new Refusal(409, 'This was done before, and has been deleted since')
    return first.reply as T
  }
  const reply = await work()
  await tx.update(idempotencyKeys).set({ reply }).where(isKey)
  return reply
}

/** The rows stay, so that nothing is done a second time. */
export async function removePersonFromStoredReplies(tx: Tx, id: string): Promise<void> {
  const matches = await tx
    .select()
    .from(idempotencyKeys)
    .where(sql`strpos(${idempotencyKeys.reply}::text, ${id}) > 0`)
  for (const { key, reply } of matches)
    await tx
      .update(idempotencyKeys)
      .set({ reply: isAbout(id, reply) ? null : removePerson(id, reply) })
      .where(eq(idempotencyKeys.key, key))
}

type PersonReply = { student?: { id: string }; guardian?: { id: string } }
const isAbout = (id: string, reply: unknown): boolean =>
  [(reply as PersonReply).student, (reply as PersonReply).guardian].some(
    (person) => person?.id === id,
  )

const removePerson = (id: string, reply: unknown): unknown =>
  JSON.parse(JSON.stringify(reply), (_, value: unknown) =>
    Array.isArray(value)
      ? value.filter((entry) => entry?.student_id !== id && entry?.id !== id)
      : value,
  )
