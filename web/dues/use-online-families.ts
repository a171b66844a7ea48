import type { OwingFamily } from '@tatami/contract/dues/owing'
import {
  type OnlineStudent,
  onlineStudentsApi,
} from '@tatami/contract/online-payment/online-students'
import { useMemo } from 'react'
import { useAllowedQuery } from '../lib/use-allowed-query.ts'
import { summarizeOnline } from './online-words.ts'

/** How each family pays online. Leaves out families that do not. */
export function useOnlineFamilies(
  families: readonly OwingFamily[] | undefined,
): ReadonlyMap<OwingFamily, OnlineStudent> {
  const { data: onlineStudents } = useAllowedQuery(onlineStudentsApi.list)
  return useMemo(() => {
    const onlineById = new Map(onlineStudents?.map((student) => [student.student_id, student]))
    return new Map(
      (families ?? []).flatMap((family) => {
        const online = summarizeOnline(
          family.students.flatMap(({ student_id }) => onlineById.get(student_id) ?? []),
        )
        return online ? [[family, online] as const] : []
      }),
    )
  }, [families, onlineStudents])
}
