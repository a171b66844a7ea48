import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../kernel/database.ts'
import { Refusal } from '../kernel/refusal.ts'
import { sha256 } from '../kernel/secrets.ts'
import { firstAnswers } from './tables.ts'

/** Does the work once for a key and gives its answer every time; a second call waits for the first. What was refused may be tried again. */
export async function once<T>(tx: Tx, key: string | undefined, question: object, work: () => Promise<T>): Promise<T> {
  if (key === undefined) return work()
  const asked = sha256(JSON.stringify(question))
  const isKey = eq(firstAnswers.key, key)
  const [isFirst] = await tx.insert(firstAnswers).values({ key, asked }).onConflictDoNothing().returning({ key: firstAnswers.key })
  if (!isFirst) {
    const [first] = await tx.select().from(firstAnswers).where(isKey)
    if (first!.asked !== asked) throw new Refusal(409, 'This Idempotency-Key was used for another message')
    return first!.answer as T
  }
  const answer = await work()
  await tx.update(firstAnswers).set({ answer }).where(isKey)
  return answer
}

/** Takes a student who is deleted out of the answers that name them. They stay: what was done once is not to be done again. */
export async function forgetInAnswers(tx: Tx, studentId: string): Promise<void> {
  const naming = await tx
    .select()
    .from(firstAnswers)
    .where(sql`strpos(${firstAnswers.answer}::text, ${studentId}) > 0`)
  for (const { key, answer } of naming)
    await tx
      .update(firstAnswers)
      .set({ answer: without(studentId, answer) })
      .where(eq(firstAnswers.key, key))
}

const without = (studentId: string, answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (_, value: unknown) =>
    Array.isArray(value) ? value.filter((one) => one?.student_id !== studentId) : value,
  )
