import { type Grading, gradingsApi } from '@tatami/contract/gradings'
import { useEffect, useState } from 'react'
import { deviceStorage } from '../lib/device-storage.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'

const GRADINGS = 'gradings'
/** A night needs one; the others are for whoever looks back and forth. */
const MOST_STORED = 5

export const gradingQuery = (id: string) => endpointQuery(gradingsApi.show, { params: { id } })

/** The gradings that are stored on this device, the last opened first. */
export const storedGradings = (): Grading[] => (deviceStorage.load(GRADINGS) ?? []) as Grading[]

/** Stores a grading for a night without a network; a finished one is stored no longer. */
export function storeGrading(grading: Grading) {
  const others = storedGradings().filter(({ id }) => id !== grading.id)
  deviceStorage.store(
    GRADINGS,
    [...(grading.state === 'finished' ? [] : [grading]), ...others].slice(0, MOST_STORED),
  )
}

export function forgetGrading(id: string) {
  deviceStorage.store(
    GRADINGS,
    storedGradings().filter((grading) => grading.id !== id),
  )
}

/** A grading from the server, or as it was stored here until the server answers. */
export function useGrading(id: string) {
  const query = useRetryingQuery(gradingQuery(id))
  const [stored] = useState(() => storedGradings().find((grading) => grading.id === id))
  const { data } = query
  useEffect(() => {
    if (data) storeGrading(data)
  }, [data])
  return {
    ...query,
    data: data ?? stored,
    isStored: !data && stored !== undefined && query.isUnavailable,
  }
}
