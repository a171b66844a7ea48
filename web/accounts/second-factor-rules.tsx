import { useQueryClient } from '@tanstack/react-query'
import { type SecondFactorRequirements, signInApi } from '@tatami/contract/accounts/sign-in'
import { errorMessage } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { Loading } from '../ui/loading.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'

const QUERY = endpointQuery(signInApi.requirements)
const RULES = [
  {
    role: 'super_admins',
    label: 'Super admins need a second factor',
    description: 'A passkey or an authenticator app, starting with their next login.',
  },
  {
    role: 'instructors',
    label: 'Instructors need a second factor',
    description: 'Anyone without one sets it up at their next login.',
  },
] as const

export function SecondFactorRules() {
  const cache = useQueryClient()
  const query = useRetryingQuery(QUERY)
  const save = useEndpointMutation(signInApi.setRequirements, {
    scope: { id: 'second-factor' },
    onSuccess: (newRules) => cache.setQueryData(QUERY.queryKey, newRules),
  })
  const savedRules = query.data
  if (!savedRules)
    return (
      <Loading query={query} error="The login rules could not be loaded.">
        {RULES.map(({ role }) => (
          <SkeletonBlock key={role} height="5.5rem" />
        ))}
      </Loading>
    )
  const visibleRules: SecondFactorRequirements = save.isPending ? save.variables.body : savedRules
  return (
    <>
      {RULES.map(({ role, label, description }) => (
        <SwitchRow
          key={role}
          label={label}
          description={description}
          checked={visibleRules[role]}
          onChange={(isOn) => save.mutate({ body: { ...visibleRules, [role]: isOn } })}
          error={
            save.isError &&
            save.variables?.body[role] !== savedRules[role] &&
            errorMessage(save.error, 'The rule could not be saved.')
          }
        />
      ))}
    </>
  )
}
