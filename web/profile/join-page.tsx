import { Anchor, Stack, Text } from '@mantine/core'
import { profileApi } from '@tatami/contract/profile/profile'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { ApiError } from '../lib/api.ts'
import { setTimeZone } from '../lib/dates.ts'
import { endpointQuery, retryInterval } from '../lib/query.ts'
import { ErrorNotice, RetryNotice } from '../ui/notices.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { JoinForm } from './join-form.tsx'
import { SchoolPage } from '../accounts/school-page.tsx'

export function JoinPage() {
  const { code = '' } = useParams()
  const { data, error, isPending, refetch } = useQuery({
    ...endpointQuery(profileApi.invited, { query: { invite_code: code } }),
    refetchInterval: ({ state }) => retryInterval(state),
  })
  // The form appears even if the classes cannot be loaded. It keeps its values if they load later.
  const refusal = error instanceof ApiError && error.status < 500 && error.detail
  // Ages depend on the date at the dojo.
  setTimeZone(data?.time_zone)
  return (
    <SchoolPage title={data ? `Join ${data.dojo_name}` : 'Join your dojo'} school={data}>
      <Stack gap="md">
        {refusal ? (
          <>
            <ErrorNotice>{refusal}</ErrorNotice>
            <Text>Ask your instructor for a new invitation.</Text>
          </>
        ) : (
          <>
            {error && !data && (
              <RetryNotice onRetry={() => void refetch()}>
                Your dojo’s classes could not be loaded.
              </RetryNotice>
            )}
            <Text>
              Once your instructor approves what you enter here, you’ll have your classes,
              attendance and belt on your phone.
            </Text>
            {isPending ? (
              <Skeletons count={12} height={64} label="Loading" />
            ) : (
              <JoinForm invitation={code} classes={data?.classes ?? []} plans={data?.plans ?? []} />
            )}
          </>
        )}
        <Anchor href="/login" ta="center" py="sm">
          I already have a login
        </Anchor>
      </Stack>
    </SchoolPage>
  )
}
