import type { PromotionPreview } from '@tatami/contract/belts/promotions'
import { and, asc, eq, gte, isNull, ne } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { candidates, gradings } from '../gradings/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { students } from '../students/tables.ts'

/** Returns upcoming belt tests in which these students are candidates, except tests that they have
 *  declined. */
export async function findBeltTests(
  tx: Tx,
  caller: Pick<DojoCaller, 'dojoId'>,
  studentIds: string[],
): Promise<PromotionPreview['belt_tests']> {
  const rows = await tx
    .select({ id: gradings.id, held_on: gradings.held_on, name: students.name })
    .from(candidates)
    .innerJoin(gradings, eq(gradings.id, candidates.grading_id))
    .innerJoin(students, eq(students.id, candidates.student_id))
    .where(
      and(
        equalsAny(candidates.student_id, studentIds),
        ne(candidates.answer, 'no'),
        isNull(gradings.finished_at),
        gte(gradings.held_on, await todayOf(tx, caller.dojoId)),
      ),
    )
    .orderBy(asc(gradings.held_on), asc(gradings.id), asc(students.name))
  const candidatesByTest = Map.groupBy(rows, ({ id }) => id)
  return [...candidatesByTest.values()].map((testCandidates) => ({
    held_on: testCandidates[0]?.held_on ?? '',
    names: testCandidates.map(({ name }) => name),
  }))
}
