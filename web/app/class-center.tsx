import { classDatesApi } from '@tatami/contract/calendar/class-dates'
import { classesApi } from '@tatami/contract/classes/classes'
import { ClassCenter } from '../classes/class-center.tsx'
import { useEndpointMutation } from '../lib/query.ts'

/** Connects the Class Center to the calendar module, which sets the places of a class. */
export function ClassCenterPage() {
  const { mutateAsync } = useEndpointMutation(classDatesApi.setPlaces, {
    refreshes: [classesApi.list, classDatesApi.list],
  })
  return (
    <ClassCenter savePlaces={(id, places) => mutateAsync({ params: { id }, body: { places } })} />
  )
}
