import { Stack } from '@mantine/core'
import { signInApi } from '@tatami/contract/accounts/sign-in'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { Loading } from '../ui/loading.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { PanelColumns } from '../ui/panel.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { Authenticator } from './authenticator.tsx'
import { Passkeys } from './passkeys.tsx'
import { Sessions } from './sessions.tsx'

export function Security() {
  const methods = useRetryingQuery(endpointQuery(signInApi.methods))
  return (
    <Stack gap="lg">
      <PageHeader title="Login and devices" />
      <PanelColumns>
        {methods.data ? (
          <Stack gap="lg">
            <Passkeys methods={methods.data} />
            {methods.data.may_use_authenticator && <Authenticator methods={methods.data} />}
          </Stack>
        ) : (
          <Loading query={methods} error="Your login settings could not be loaded.">
            <Skeletons count={2} height={180} label="Loading..." />
          </Loading>
        )}
        <Sessions />
      </PanelColumns>
    </Stack>
  )
}
