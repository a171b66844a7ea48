import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { AttendanceMark, AttendanceRecord } from '@tatami/contract/attendance'
import type { ClassSnapshot } from '../classes/classes.ts'
import type { Database } from '../db/database.ts'
import { Unreachable } from '../db/database-errors.ts'
import { recordMarks } from './attendance.ts'

type Recorded = Map<string, AttendanceRecord>
type Batch = { marks: Map<string, boolean>; recorded: Promise<Recorded> }

/**
 * Records a mark of a class whose snapshot is known, in one transaction with all others of that class and day that arrive in the same turn of
 * the event loop: a transaction costs more than its mark. Undefined where it cannot be recorded; why, `markAttendance` says.
 */
export function recordMarksTogether(db: Database) {
  const gathering = new Map<string, Batch>()

  return async (
    dojoId: string,
    mark: AttendanceMark,
    snapshot: ClassSnapshot,
  ): Promise<AttendanceRecord | undefined> => {
    const { student_id, present, ...classDay } = mark
    const key = `${dojoId} ${classDay.class_id} ${classDay.class_date}`
    const begin = (): Batch => {
      const marks = new Map<string, boolean>()
      const record = async (): Promise<Recorded> => {
        await endOfTurn()
        if (gathering.get(key)?.marks === marks) gathering.delete(key)
        try {
          return await db.inDojo(dojoId, (tx) =>
            tx.andCommit(() => recordMarks(tx, classDay, snapshot, marks)),
          )
        } catch (error) {
          // What is wrong with one mark costs no other its answer: each is tried alone.
          if (error instanceof Unreachable || marks.size === 1) throw error
          return new Map()
        }
      }
      return { marks, recorded: record() }
    }
    const open = gathering.get(key)
    // One statement marks nobody twice.
    const batch = open && !open.marks.has(student_id) ? open : begin()
    gathering.set(key, batch)
    batch.marks.set(student_id, present)
    return (await batch.recorded).get(student_id)
  }
}
