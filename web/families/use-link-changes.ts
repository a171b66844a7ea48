import { familiesApi } from '@tatami/contract/families/families'
import type { Guardian, GuardianRights, Guardianship } from '@tatami/contract/guardians/guardians'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { useRefreshFamilies } from './use-families.ts'

type Failures = Partial<Record<keyof GuardianRights, string | undefined>>

const withFailure = (failures: Failures, body: object, message: string | undefined): Failures => ({
  ...failures,
  ...Object.fromEntries(Object.keys(body).map((field) => [field, message])),
})

type SavedFields = { [Field in keyof GuardianRights]?: unknown }

const withoutSaved = (choices: GuardianRights, savedFields: SavedFields): GuardianRights =>
  Object.fromEntries(
    Object.entries(choices).filter(
      ([field, value]) => savedFields[field as keyof SavedFields] !== value,
    ),
  )

/** Saves each change right away. `latestLink` includes changes that are still being saved. */
export function useLinkChanges(guardian: Guardian, link: Guardianship) {
  const refresh = useRefreshFamilies()
  const [choices, setChoices] = useState<GuardianRights>({})
  const [failures, setFailures] = useState<Failures>({})
  const showFailure = (body: object, error: unknown) => {
    const message = errorMessage(error, 'This could not be saved.')
    setFailures((previous) => withFailure(previous, body, message))
  }
  const save = useEndpointMutation(familiesApi.link, {
    // Saves one change after another. Disabling the switch until then would lose the focus.
    scope: { id: `link ${guardian.id} ${link.student_id}` },
    onError: (error, { body = {} }) => showFailure(body, error),
    onSettled: async (_reply, _error, { body = {} }) => {
      await refresh()
      setChoices((previous) => withoutSaved(previous, body))
    },
  })
  const change = (body: GuardianRights) => {
    setChoices((previous) => ({ ...previous, ...body }))
    setFailures((previous) => withFailure(previous, body, undefined))
    save.mutate({ params: { id: guardian.id, studentId: link.student_id }, body })
  }
  return { latestLink: { ...link, ...choices }, failures, change, showFailure }
}
