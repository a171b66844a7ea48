import { useQuery } from '@tanstack/react-query'
import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { isCalendarDate } from '@tatami/contract/lib/fields'
import { studentsApi, type Student } from '@tatami/contract/students/students'
import { useState } from 'react'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { rollExcusesQuery } from './excuses.ts'
import { dayQuery, marks, markStudents } from './marks.ts'
import { countRoll, buildRoll, type Row } from './roll.ts'

/** Students check in at the door while the class comes in. */
const POLL_MS = 15_000

/** Who is not in the class, and has a place on the date. */
const guestsOf = (classDate: DatedClass | undefined) =>
  new Set(
    classDate?.students.flatMap(({ student_id, state }) =>
      state === 'has_place' ? [student_id] : [],
    ),
  )

export type Change = Pick<Row, 'target' | 'present'>
export type Roll = ReturnType<typeof useRoll>

/** The state and actions of the Mark Attendance dialog for one class on one day, whose date is `held` where that is known. */
export function useRoll(classId: string, day: string, classDate?: DatedClass) {
  const students = useRetryingQuery(endpointQuery(studentsApi.list))
  const records = useRetryingQuery(
    { ...dayQuery(classId, day), enabled: classId !== '' && isCalendarDate(day) },
    { pollMs: () => POLL_MS },
  )
  // The roll does not wait for them: they only say whom to expect.
  const excuses = useQuery({
    ...rollExcusesQuery(classId, day),
    enabled: classId !== '' && isCalendarDate(day),
  })
  const pending = marks.usePending()
  // Each entry holds the values that one action replaced.
  const [undoStack, setUndoStack] = useState<Change[][]>([])

  const rows =
    students.data && records.data
      ? buildRoll(classId, day, {
          students: students.data,
          records: records.data,
          excuses: excuses.data ?? [],
          pending,
          guests: guestsOf(classDate),
        })
      : undefined
  const notSaved = rows?.flatMap((row) => row.notSaved?.mark ?? []) ?? []
  const rowOf = ({ target }: Change) => rows?.find((row) => row.student.id === target.student_id)
  const currentValue = (change: Change): Change => ({
    target: change.target,
    present: rowOf(change)?.present ?? null,
  })
  const lastChanges =
    undoStack.at(-1)?.filter(({ target }) => target.class_id === classId && target.day === day) ??
    []
  const tap = (changes: Change[], yields: boolean) =>
    void markStudents(
      changes.map((change) => ({
        ...change.target,
        present: change.present,
        seen: rowOf(change)?.saved ?? null,
        yields,
      })),
    )

  function mark(changes: Change[], { yields = false } = {}) {
    if (changes.length > 0) setUndoStack([...undoStack, changes.map(currentValue)])
    tap(changes, yields)
  }

  return {
    students,
    saved: records,
    rows,
    /** The students of the dojo who are not on the roll. */
    others:
      students.data?.filter(({ id }) => !rows?.some(({ student }) => student.id === id)) ?? [],
    counts: countRoll(rows ?? []),
    /** Marks one or more students as one undoable action. What somebody else marked meanwhile stays without a question where it `yields`. */
    mark,
    addDropIn: ({ id }: Student) =>
      mark([{ target: { student_id: id, class_id: classId, day }, present: true }]),
    /** Undoes the last action on this class and day. */
    undo:
      lastChanges.length === 0
        ? undefined
        : () => {
            setUndoStack(undoStack.slice(0, -1))
            tap(lastChanges, false)
          },
    retryNotSaved:
      notSaved.length === 0 ? undefined : () => void Promise.all(notSaved.map(marks.retry)),
  }
}
