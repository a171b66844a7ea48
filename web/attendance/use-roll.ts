import { useQuery } from '@tanstack/react-query'
import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { isCalendarDate } from '@tatami/contract/lib/fields'
import { studentsApi, type Student } from '@tatami/contract/students/students'
import { useState } from 'react'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { useClassEntries } from './class-entries.ts'
import { rollExcusesQuery } from './excuses.ts'
import { rollRecordsQuery, marks, markStudents } from './marks.ts'
import { countRoll, buildRoll, type RollRow } from './roll.ts'

/** Students may check in at a kiosk while the roll is open. */
const POLL_MS = 15_000

const findGuestIds = (classDate: DatedClass | undefined) =>
  new Set(
    classDate?.students
      .filter(({ state }) => state === 'has_place')
      .map(({ student_id }) => student_id),
  )

type MarkChange = Pick<RollRow, 'target' | 'present'>
export type Roll = ReturnType<typeof useRoll>

export function useRoll(classId: string, day: string, classDate?: DatedClass) {
  const students = useRetryingQuery(endpointQuery(studentsApi.list))
  const records = useRetryingQuery(
    { ...rollRecordsQuery(classId, day), enabled: classId !== '' && isCalendarDate(day) },
    { pollMs: () => POLL_MS },
  )
  const excuses = useQuery({
    ...rollExcusesQuery(classId, day),
    enabled: classId !== '' && isCalendarDate(day),
  })
  const entries = useClassEntries(classId, day)
  const pendingMarks = marks.usePending()
  const rows =
    students.data && records.data
      ? buildRoll(classId, day, {
          students: students.data,
          records: records.data,
          excuses: excuses.data ?? [],
          pendingMarks,
          guestIds: findGuestIds(classDate),
        })
      : undefined
  const unsavedMarks = rows?.flatMap((row) => row.unsaved?.mark ?? []) ?? []
  const { mark, undo } = useUndoableMarks(classId, day, rows)
  return {
    students,
    records,
    entries,
    rows,
    studentsNotOnRoll:
      students.data?.filter(({ id }) => !rows?.some(({ student }) => student.id === id)) ?? [],
    counts: countRoll(rows ?? []),
    /** The people who marked students. Empty unless the user may manage staff. */
    markerNames: [...new Set(records.data?.flatMap(({ marked_by }) => marked_by ?? []))],
    mark,
    addDropIn: ({ id }: Student) =>
      mark([{ target: { student_id: id, class_id: classId, day }, present: true }]),
    undo,
    retryUnsaved:
      unsavedMarks.length === 0 ? undefined : () => void Promise.all(unsavedMarks.map(marks.retry)),
  }
}

function useUndoableMarks(classId: string, day: string, rows: readonly RollRow[] | undefined) {
  const [undoStack, setUndoStack] = useState<MarkChange[][]>([])
  const findRow = ({ target }: MarkChange) =>
    rows?.find((row) => row.student.id === target.student_id)
  const lastChanges = (undoStack.at(-1) ?? []).filter(
    ({ target }) => target.class_id === classId && target.day === day,
  )
  const storeMarks = (changes: readonly MarkChange[], { yields = false } = {}) =>
    void markStudents(
      changes.map((change) => ({
        ...change.target,
        present: change.present,
        seenValue: findRow(change)?.savedValue ?? null,
        yields,
      })),
    )
  return {
    /** With `yields`, a mark that somebody else made in the meantime wins. */
    mark: (changes: readonly MarkChange[], { yields = false } = {}) => {
      const replacedValues = changes.map((change) => ({
        target: change.target,
        present: findRow(change)?.present ?? null,
      }))
      if (changes.length > 0) setUndoStack([...undoStack, replacedValues])
      storeMarks(changes, { yields })
    },
    undo:
      lastChanges.length === 0
        ? undefined
        : () => {
            setUndoStack(undoStack.slice(0, -1))
            storeMarks(lastChanges)
          },
  }
}
