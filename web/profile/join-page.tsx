import { Anchor, Stack, Text } from '@mantine/core'
import { PRIVACY_PATH } from '@tatami/contract/privacy/privacy'
import { profileApi } from '@tatami/contract/profile/profile'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { ApiError } from '../lib/api.ts'
import { setTimeZone } from '../lib/dates.ts'
import { endpointQuery, retryInterval } from '../lib/query.ts'
import { ErrorNotice, RetryNotice } from '../ui/notices.tsx'
import { SchoolMark } from '../ui/school-mark.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { JoinForm } from './join-form.tsx'
import { VisitorPage } from '../accounts/visitor-page.tsx'

export function JoinPage() {
  const { code = '' } = useParams()
  const { data, error, isPending, refetch } = useQuery({
    ...endpointQuery(profileApi.invited, { query: { invite_code: code } }),
    refetchInterval: ({ state }) => retryInterval(state),
  })
  // If the classes cannot be loaded, the form appears anyway. It keeps its values when they are.
  const refusal = error instanceof ApiError && error.status < 500 && error.detail
  // Ages depend on the date at the dojo.
  setTimeZone(data?.time_zone)
  return (
    <VisitorPage title="Join your dojo">
      <Stack gap="md">
        {refusal ? (
          <>
            <ErrorNotice>{refusal}</ErrorNotice>
            <Text>Ask your instructor for a new invitation.</Text>
          </>
        ) : (
          <>
            {error && !data ? (
              <RetryNotice onRetry={() => void refetch()}>
                Your dojo’s classes could not be loaded.
              </RetryNotice>
            ) : (
              <Text component="div" fw={650} size="lg" mih="calc(1lh + 0.75rem + 4px)">
                <SchoolMark look={data} name={data?.dojo_name} />
              </Text>
            )}
            {isPending ? (
              <Skeletons count={12} height={64} label="Loading" />
            ) : (
              <JoinForm invitation={code} classes={data?.classes ?? []} />
            )}
          </>
        )}
        <Anchor href={PRIVACY_PATH} ta="center" py="sm">
          What we keep, for how long, and who gets it
        </Anchor>
        <Anchor href="/login" ta="center" py="sm">
          I already have a login
        </Anchor>
      </Stack>
    </VisitorPage>
  )
}
