import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { Refusal } from '../lib/refusal.ts'
import { sha256 } from '../lib/secrets.ts'
import { idempotencyKeys } from './tables.ts'

/** A hash of few bits of choice gives away what was hashed, so passwords take no part in the comparison. */
const withoutPasswords = (field: string, value: unknown) => (field.includes('password') ? undefined : value)

/**
 * Does the work once for a key and gives its answer every time; a second call waits for the first. A refused call may be tried
 * again. The answer is stored, so it must hold no token and no password.
 */
export async function withIdempotencyKey<T>(tx: Tx, key: string, request: object, work: () => Promise<T>): Promise<T> {
  const asked = sha256(JSON.stringify(request, withoutPasswords))
  const isKey = eq(idempotencyKeys.key, key)
  const [isFirst] = await tx.insert(idempotencyKeys).values({ key, asked }).onConflictDoNothing().returning({ key: idempotencyKeys.key })
  if (!isFirst) {
    const [first] = await tx.select().from(idempotencyKeys).where(isKey)
    if (first!.asked !== asked) throw new Refusal(409, 'This Idempotency-Key was used for another request')
    if (first!.answer === null) throw new Refusal(409, 'This was done before, and has been deleted since')
    return first!.answer as T
  }
  const answer = await work()
  await tx.update(idempotencyKeys).set({ answer }).where(isKey)
  return answer
}

/** Removes a deleted student from the stored answers. The rows stay, so that nothing is done a second time. */
export async function removeStudentFromStoredReplies(tx: Tx, studentId: string): Promise<void> {
  const naming = await tx
    .select()
    .from(idempotencyKeys)
    .where(sql`strpos(${idempotencyKeys.answer}::text, ${studentId}) > 0`)
  for (const { key, answer } of naming)
    await tx
      .update(idempotencyKeys)
      .set({ answer: isAbout(studentId, answer) ? null : without(studentId, answer) })
      .where(eq(idempotencyKeys.key, key))
}

const isAbout = (studentId: string, answer: unknown): boolean => (answer as { student?: { id: string } }).student?.id === studentId

const without = (studentId: string, answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (_, value: unknown) =>
    Array.isArray(value) ? value.filter((one) => one?.student_id !== studentId) : value,
  )
