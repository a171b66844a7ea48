import { attendanceMark } from '@tatami/contract/attendance'
import { studentsApi, type Student } from '@tatami/contract/students'
import { useState } from 'react'
import { endpointQuery } from '../lib/query.ts'
import { useRecoveringQuery } from '../lib/use-recovering-query.ts'
import { dayQuery, marks, useTaps } from './marks.ts'
import { countsOf, rollOf, type Row } from './roll.ts'

export type Change = Pick<Row, 'subject' | 'present'>
export type Roll = ReturnType<typeof useRoll>

export const isDay = (day: string) => attendanceMark.shape.class_date.safeParse(day).success

/** Everything the Mark Attendance dialog shows and does for one class on one day. */
export function useRoll(classId: string, day: string) {
  const students = useRecoveringQuery(endpointQuery(studentsApi.list))
  const saved = useRecoveringQuery({ ...dayQuery(classId, day), enabled: classId !== '' && isDay(day) })
  const taps = useTaps()
  // What each act changed, as it was before.
  const [acts, setActs] = useState<Change[][]>([])

  const rows = students.data && saved.data ? rollOf(classId, day, { students: students.data, records: saved.data, taps }) : undefined
  const failed = rows?.flatMap((row) => row.failed ?? []) ?? []
  const before = ({ subject }: Change): Change => ({
    subject,
    present: rows?.find((row) => row.student.id === subject.student_id)?.present ?? null,
  })
  const last = acts.at(-1)?.filter(({ subject }) => subject.class_id === classId && subject.day === day) ?? []
  const send = (changes: Change[]) => changes.forEach(({ subject, present }) => marks.mark(subject, present))

  function mark(changes: Change[]) {
    if (changes.length > 0) setActs([...acts, changes.map(before)])
    send(changes)
  }

  return {
    students,
    saved,
    rows,
    /** Everyone else of the dojo. */
    others: students.data?.filter(({ id }) => !rows?.some(({ student }) => student.id === id)) ?? [],
    counts: countsOf(rows ?? []),
    /** One act: a tap, or the rest at once. */
    mark,
    addDropIn: ({ id }: Student) => mark([{ subject: { student_id: id, class_id: classId, day }, present: true }]),
    /** Takes back the last act on this class and day. */
    undo:
      last.length === 0
        ? undefined
        : () => {
            setActs(acts.slice(0, -1))
            send(last)
          },
    retryFailed: failed.length === 0 ? undefined : () => failed.forEach(marks.retry),
  }
}
