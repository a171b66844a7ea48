import { type Grading, gradingsApi } from '@tatami/contract/gradings/gradings'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { copyStore } from '../lib/device-database.ts'
import { deviceStorage } from '../lib/device-storage.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'

/** A night needs one; the others are for whoever looks back and forth. */
const MOST_STORED = 5

export const gradingQuery = (id: string) => endpointQuery(gradingsApi.show, { params: { id } })

type StoredGradings = { gradings: Grading[] }
const storeKey = () => `gradings ${deviceStorage.owner()}`

async function changeStored(changeList: (gradings: Grading[]) => Grading[]) {
  const change = (storedGradings?: StoredGradings) => ({
    gradings: changeList(storedGradings?.gradings ?? []).slice(0, MOST_STORED),
  })
  try {
    await copyStore.change<StoredGradings>([storeKey()], change)
  } catch {
    // What cannot be stored is not there without a network, and missing nowhere else.
  }
}

/** The gradings that are stored on this device, the last opened first. */
export function useStoredGradings(): Grading[] | undefined {
  const { data } = useQuery({
    queryKey: [storeKey()],
    queryFn: async () => {
      const [storedGradings] = await copyStore.all<StoredGradings>(storeKey()).catch(() => [])
      return storedGradings?.gradings ?? []
    },
    gcTime: 0,
  })
  return data
}

/** Stores a grading for a night without a network; a finished one is stored no longer. */
export const storeGrading = (grading: Grading) =>
  changeStored((gradings) => [
    ...(grading.state === 'finished' ? [] : [grading]),
    ...gradings.filter(({ id }) => id !== grading.id),
  ])

export const forgetGrading = (id: string) =>
  changeStored((gradings) => gradings.filter((grading) => grading.id !== id))

/** A grading from the server, or as it was stored here until the server answers. */
export function useGrading(id: string) {
  const query = useRetryingQuery(gradingQuery(id))
  const storedGrading = useStoredGradings()?.find((grading) => grading.id === id)
  const { data } = query
  useEffect(() => {
    if (data) void storeGrading(data)
  }, [data])
  return {
    ...query,
    data: data ?? storedGrading,
    isStored: !data && storedGrading !== undefined && query.isUnavailable,
  }
}
