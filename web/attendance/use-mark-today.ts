import { weekdayOf } from '@tatami/contract/lib/calendar-day'
import { useQueryClient } from '@tanstack/react-query'
import type { DojoClass } from '@tatami/contract/classes/classes'
import { type Student, type StudentPage, studentsApi } from '@tatami/contract/students/students'
import { today } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import { sortForStudent, findOnlyClassToday } from './class-today.ts'
import { marks, markStudents } from './marks.ts'

export type TodaysMark = { dojoClass: DojoClass; present: boolean | null }

export function useMarkToday(
  student: Student,
  recentMarks: StudentPage['recent_marks'] | undefined,
  classes: readonly DojoClass[],
) {
  const cache = useQueryClient()
  const pendingMarks = marks.usePending()
  const day = today()
  const weekday = weekdayOf(day)
  const { queryKey } = endpointQuery(studentsApi.show, { params: { id: student.id } })
  const findSavedValue = (id: string, savedMarks = recentMarks) =>
    savedMarks?.find((mark) => mark.class_id === id && mark.class_date === day)?.present ?? null
  const findPresence = ({ id }: DojoClass): boolean | null => {
    const pendingMark = pendingMarks.find(
      (mark) => mark.student_id === student.id && mark.class_id === id && mark.day === day,
    )
    return pendingMark ? pendingMark.present : findSavedValue(id)
  }
  const mark = ({ dojoClass: { id, class_name }, present }: TodaysMark) => {
    const storageWrite = markStudents([
      {
        student_id: student.id,
        class_id: id,
        day,
        present,
        seenValue: findSavedValue(id, cache.getQueryData(queryKey)?.recent_marks),
      },
    ])
    const showInCache = () => {
      cache.setQueryData(queryKey, (page) => {
        if (!page) return page
        const otherMarks = page.recent_marks.filter(
          (recentMark) => recentMark.class_id !== id || recentMark.class_date !== day,
        )
        const newMarks =
          present === null
            ? []
            : [{ id: `${id} ${day}`, class_id: id, class_name, class_date: day, present }]
        return { ...page, recent_marks: [...newMarks, ...otherMarks] }
      })
    }
    void storageWrite.then(showInCache)
  }
  return {
    choices: sortForStudent(weekday, student, classes).map((dojoClass): TodaysMark => ({
      dojoClass,
      present: findPresence(dojoClass),
    })),
    onlyClass: findOnlyClassToday(weekday, student, classes),
    findPresence,
    mark,
  }
}
