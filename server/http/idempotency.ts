import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { Refusal } from '../lib/refusal.ts'
import { sha256 } from '../lib/secrets.ts'
import { firstRow } from '../lib/rows.ts'
import { idempotencyKeys } from './tables.ts'

/** Passwords are not hashed, because the hash would help somebody guess them. */
const omitPasswords = (field: string, value: unknown) =>
  field.includes('password') ? undefined : value

/** Does the work once per key and stores the reply, which must not contain a token or password. A
 *  second call waits for the first call, and does the work only if the first call was refused. */
export async function withIdempotencyKey<StoredReply>(
  tx: Tx,
  key: string,
  request: object,
  work: () => Promise<StoredReply>,
): Promise<StoredReply> {
  const request_hash = sha256(JSON.stringify(request, omitPasswords))
  const matchesKey = eq(idempotencyKeys.key, key)
  const [newKey] = await tx
    .insert(idempotencyKeys)
    .values({ key, request_hash })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key })
  if (!newKey) {
    const firstCall = firstRow(await tx.select().from(idempotencyKeys).where(matchesKey))
    if (firstCall.request_hash !== request_hash)
      throw new Refusal(409, 'This Idempotency-Key was used for another request')
    if (firstCall.reply === null)
      throw new Refusal(409, 'This was done before, and has been deleted since')
    return firstCall.reply as StoredReply
  }
  const reply = await work()
  await tx.update(idempotencyKeys).set({ reply }).where(matchesKey)
  return reply
}

/** Removes a person who is deleted from the stored replies. The keys stay, so that a repeated call
 *  does not create the person again. */
export async function removePersonFromStoredReplies(tx: Tx, id: string): Promise<void> {
  const matchingReplies = await tx
    .select()
    .from(idempotencyKeys)
    .where(sql`strpos(${idempotencyKeys.reply}::text, ${id}) > 0`)
  for (const { key, reply } of matchingReplies)
    await tx
      .update(idempotencyKeys)
      .set({ reply: isReplyAbout(id, reply) ? null : removePerson(id, reply) })
      .where(eq(idempotencyKeys.key, key))
}

type PersonReply = { student?: { id: string }; guardian?: { id: string } }

function isReplyAbout(id: string, reply: unknown): boolean {
  const { student, guardian } = reply as PersonReply
  return student?.id === id || guardian?.id === id
}

const removePerson = (id: string, reply: unknown): unknown =>
  JSON.parse(JSON.stringify(reply), (_, value: unknown) =>
    Array.isArray(value)
      ? value.filter((element) => element?.student_id !== id && element?.id !== id)
      : value,
  )
