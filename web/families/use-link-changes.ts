import { familiesApi } from '@tatami/contract/families/families'
import type { Guardian, GuardianRights, Guardianship } from '@tatami/contract/guardians/guardians'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useRefreshFamilies } from './use-families.ts'

type Failures = Partial<Record<keyof GuardianRights, string | undefined>>

const setFailure = (failures: Failures, body: object, message: string | undefined): Failures => ({
  ...failures,
  ...Object.fromEntries(Object.keys(body).map((field) => [field, message])),
})

type SavedFields = { [Field in keyof GuardianRights]?: unknown }

const omitSaved = (unsavedRights: GuardianRights, savedFields: SavedFields): GuardianRights =>
  Object.fromEntries(
    Object.entries(unsavedRights).filter(
      ([field, value]) => savedFields[field as keyof SavedFields] !== value,
    ),
  )

/** Saves each change immediately. `latestLink` includes changes that are still being saved. */
export function useLinkChanges(guardian: Guardian, link: Guardianship) {
  const refresh = useRefreshFamilies()
  const [unsavedRights, setUnsavedRights] = useState<GuardianRights>({})
  const [failures, setFailures] = useState<Failures>({})
  const showFailure = (body: object, error: unknown) => {
    const message = errorMessage(error, 'This could not be saved.')
    setFailures((previous) => setFailure(previous, body, message))
  }
  const save = useEndpointMutation(familiesApi.link, {
    // Saves changes one after another. Disabling the switch instead would lose the focus.
    scope: { id: `link ${guardian.id} ${link.student_id}` },
    onError: (error, { body = {} }) => showFailure(body, error),
    onSettled: async (_reply, _error, { body = {} }) => {
      await refresh()
      setUnsavedRights((previous) => omitSaved(previous, body))
    },
  })
  const change = (body: GuardianRights) => {
    setUnsavedRights((previous) => ({ ...previous, ...body }))
    setFailures((previous) => setFailure(previous, body, undefined))
    save.mutate({ params: { id: guardian.id, studentId: link.student_id }, body })
  }
  return { latestLink: { ...link, ...unsavedRights }, failures, change, showFailure }
}
