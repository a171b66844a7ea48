import { type Grading, type GradingResult, gradingsApi } from '@tatami/contract/gradings/gradings'
import { call } from '../lib/api.ts'
import { tapStore } from '../lib/device-database.ts'
import { deviceStorage } from '../lib/device-storage.ts'
import { createDeviceOutbox } from '../lib/device-outbox.ts'
import type { NonEmptyItems, OutboxItem } from '../lib/outbox.ts'
import type { Attempt } from '../lib/pending-items.ts'
import { endpointKey, queryClient } from '../lib/query.ts'
import { gradingQuery, storeGrading } from './stored-gradings.ts'

/** A result that the server does not have yet. Null clears an earlier result. */
type StoredResult = OutboxItem & {
  grading_id: string
  student_id: string
  result: GradingResult | null
  stripes_given: number | null
}
export type PendingResult = StoredResult & Attempt

/** Shows the server’s latest version of a grading and stores it on this device. */
export async function showGrading(grading: Grading) {
  const { queryKey } = gradingQuery(grading.id)
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, grading)
  void storeGrading(grading)
  void queryClient.invalidateQueries({ queryKey: [endpointKey(gradingsApi.list)] })
}

const send = (storedResults: NonEmptyItems<StoredResult>) =>
  call(gradingsApi.results, {
    params: { id: storedResults[0].grading_id },
    body: {
      results: storedResults.map(({ student_id, result, stripes_given }) => ({
        student_id,
        result,
        stripes_given,
      })),
    },
  })

export const resultOutbox = createDeviceOutbox<StoredResult, StoredResult, Grading>({
  name: 'results',
  deviceStore: tapStore,
  accountPrefix: () => `results ${deviceStorage.owner()} `,
  keyOf: ({ grading_id, student_id }) => `${grading_id} ${student_id}`,
  groupOf: ({ grading_id }) => grading_id,
  endpointOf: () => gradingsApi.results,
  send,
  showReply: (_, grading) => showGrading(grading),
})

export const recordResult = (storedResult: StoredResult) =>
  resultOutbox.put([storedResult], () => storedResult)
