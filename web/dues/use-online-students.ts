import {
  type OnlineStudent,
  onlineStudentsApi,
} from '@tatami/contract/online-payment/online-students'
import { useMemo } from 'react'
import { useCan } from '../lib/current-user.ts'
import { useAllowedQuery } from '../lib/use-allowed-query.ts'
import { useRetryingQuery, endpointQuery } from '../lib/query.ts'

/** How a student is paid for online. Staff who may not see sums only learn that money is on its
 *  way. */
export type OnlineState = Omit<OnlineStudent, 'on_its_way'> & {
  /** Null if the user may not see it. */
  on_its_way: number | null
}

const UNSEEN: Omit<OnlineState, 'student_id'> = {
  autopay: null,
  on_its_way: null,
  is_turned_off: false,
  problem: null,
  link_sent_on: null,
}

export function useOnlineStudents(): readonly OnlineState[] | undefined {
  const can = useCan()
  const { data: onlineStudents } = useAllowedQuery(onlineStudentsApi.list)
  const { data: studentsOnTheirWay } = useRetryingQuery({
    ...endpointQuery(onlineStudentsApi.onTheirWay),
    enabled: can('money.take') && !can('money.see'),
  })
  return useMemo(
    () =>
      onlineStudents ??
      studentsOnTheirWay?.map(({ student_id }): OnlineState => ({ student_id, ...UNSEEN })),
    [onlineStudents, studentsOnTheirWay],
  )
}

/** Whether a bank is bringing money. */
export const isOnItsWay = ({ on_its_way }: Pick<OnlineState, 'on_its_way'>): boolean =>
  on_its_way === null || on_its_way > 0
