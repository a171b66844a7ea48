import { useQuery } from '@tanstack/react-query'
import { isCalendarDate } from '@tatami/contract/fields'
import { studentsApi, type Student } from '@tatami/contract/students'
import { useState } from 'react'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { rollExcusesQuery } from './excuses.ts'
import { dayQuery, marks, usePendingMarks } from './marks.ts'
import { countRoll, buildRoll, type Row } from './roll.ts'

export type Change = Pick<Row, 'target' | 'present'>
export type Roll = ReturnType<typeof useRoll>

/** The state and actions of the Mark Attendance dialog for one class on one day. */
export function useRoll(classId: string, day: string) {
  const students = useRetryingQuery(endpointQuery(studentsApi.list))
  const saved = useRetryingQuery({ ...dayQuery(classId, day), enabled: classId !== '' && isCalendarDate(day) })
  // The roll does not wait for them: they only say whom to expect.
  const excuses = useQuery({ ...rollExcusesQuery(classId, day), enabled: classId !== '' && isCalendarDate(day) })
  const pending = usePendingMarks()
  // Each entry holds the values that one action replaced.
  const [undoStack, setUndoStack] = useState<Change[][]>([])

  const rows =
    students.data && saved.data
      ? buildRoll(classId, day, { students: students.data, records: saved.data, excuses: excuses.data ?? [], pending })
      : undefined
  const failed = rows?.flatMap((row) => row.failed ?? []) ?? []
  const currentValue = ({ target }: Change): Change => ({
    target,
    present: rows?.find((row) => row.student.id === target.student_id)?.present ?? null,
  })
  const lastChanges = undoStack.at(-1)?.filter(({ target }) => target.class_id === classId && target.day === day) ?? []
  const send = (changes: Change[]) => changes.forEach(({ target, present }) => marks.mark(target, present))

  function mark(changes: Change[]) {
    if (changes.length > 0) setUndoStack([...undoStack, changes.map(currentValue)])
    send(changes)
  }

  return {
    students,
    saved,
    rows,
    /** The students of the dojo who are not on the roll. */
    others: students.data?.filter(({ id }) => !rows?.some(({ student }) => student.id === id)) ?? [],
    counts: countRoll(rows ?? []),
    /** Marks one or more students as one undoable action. */
    mark,
    addDropIn: ({ id }: Student) => mark([{ target: { student_id: id, class_id: classId, day }, present: true }]),
    /** Undoes the last action on this class and day. */
    undo:
      lastChanges.length === 0
        ? undefined
        : () => {
            setUndoStack(undoStack.slice(0, -1))
            send(lastChanges)
          },
    retryFailed: failed.length === 0 ? undefined : () => failed.forEach(marks.retry),
  }
}
