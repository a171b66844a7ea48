import { type Grading, gradingsApi } from '@tatami/contract/gradings/gradings'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { copyStore } from '../lib/device-database.ts'
import { deviceStorage } from '../lib/device-storage.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'

/** Most belt tests need one stored grading, but some instructors open several. */
const MAX_STORED = 5

export const gradingQuery = (id: string) => endpointQuery(gradingsApi.show, { params: { id } })

type StoredGradings = { gradings: Grading[] }
const storeKey = () => `gradings ${deviceStorage.owner()}`

async function changeStoredGradings(changeList: (gradings: Grading[]) => Grading[]) {
  const change = (storedGradings?: StoredGradings) => ({
    gradings: changeList(storedGradings?.gradings ?? []).slice(0, MAX_STORED),
  })
  try {
    await copyStore.change([storeKey()], (key) => key, change)
  } catch {
    // With a network, the screen works without the copy.
  }
}

export function useStoredGradings(): Grading[] | undefined {
  const { data } = useQuery({
    queryKey: [storeKey()],
    queryFn: async () => {
      const [storedGradings] = await copyStore.getAll<StoredGradings>(storeKey()).catch(() => [])
      return storedGradings?.gradings ?? []
    },
    gcTime: 0,
  })
  return data
}

/** Stores a grading, or removes it once it is finished and no longer needed offline. */
export const storeGrading = (grading: Grading) =>
  changeStoredGradings((gradings) => [
    ...(grading.state === 'finished' ? [] : [grading]),
    ...gradings.filter(({ id }) => id !== grading.id),
  ])

export const forgetGrading = (id: string) =>
  changeStoredGradings((gradings) => gradings.filter((grading) => grading.id !== id))

/** Until the server responds, returns the copy stored on this device. */
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
