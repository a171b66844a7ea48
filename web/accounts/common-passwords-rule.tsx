import { useQueryClient } from '@tanstack/react-query'
import { passwordsApi } from '@tatami/contract/accounts/passwords'
import { failureMessage } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { Loading } from '../ui/loading.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'

const QUERY = endpointQuery(passwordsApi.rules)

export function CommonPasswordsRule() {
  const cache = useQueryClient()
  const query = useRetryingQuery(QUERY)
  const save = useEndpointMutation(passwordsApi.setRules, {
    scope: { id: 'password-rules' },
    onSuccess: (newRules) => cache.setQueryData(QUERY.queryKey, newRules),
  })
  if (!query.data)
    return (
      <Loading query={query} error="The password rule could not be loaded.">
        <SkeletonBlock height="5.5rem" />
      </Loading>
    )
  const savedRules = query.data
  const visibleRules = save.isPending ? save.variables.body : savedRules
  return (
    <SwitchRow
      label="Block common passwords"
      description="Also blocks passwords close to a name or email. When off, forms only warn."
      checked={visibleRules.refuses_common}
      onChange={(isOn) => save.mutate({ body: { refuses_common: isOn } })}
      error={failureMessage(save, 'The rule could not be saved.')}
    />
  )
}
