import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type SecondFactorRequirements, signInApi } from '@tatami/contract/accounts/sign-in'
import { errorMessage } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { RetryNotice } from '../ui/notices.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'

const QUERY = endpointQuery(signInApi.requirements)
const RULES = [
  {
    of: 'super_admins',
    label: 'Super admins need a second factor',
    description: 'A passkey or an authenticator app, from their next login.',
  },
  {
    of: 'instructors',
    label: 'Instructors need a second factor',
    description: 'Anyone without one sets it up at their next login.',
  },
] as const

export function SecondFactorRules() {
  const cache = useQueryClient()
  const { data: rules, isError, refetch } = useQuery(QUERY)
  const save = useEndpointMutation(signInApi.setRequirements, {
    scope: { id: 'second-factor' },
    onSuccess: (savedRules) => cache.setQueryData(QUERY.queryKey, savedRules),
  })
  if (!rules)
    return isError ? (
      <RetryNotice onRetry={() => void refetch()}>The login rules could not be loaded.</RetryNotice>
    ) : (
      <SkeletonBlock height="8rem" />
    )
  const visibleRules: SecondFactorRequirements = (save.isPending && save.variables?.body) || rules
  return (
    <>
      {RULES.map(({ of, label, description }) => (
        <SwitchRow
          key={of}
          label={label}
          description={description}
          checked={visibleRules[of]}
          onChange={(isOn) => save.mutate({ body: { ...visibleRules, [of]: isOn } })}
          error={
            save.isError &&
            save.variables?.body[of] !== rules[of] &&
            errorMessage(save.error, 'The rule could not be saved.')
          }
        />
      ))}
    </>
  )
}
