import { IconUserPlus } from '@tabler/icons-react'
import { studentsApi } from '@tatami/contract/students/students'
import { useQueryClient } from '@tanstack/react-query'
import { WithRight } from '../ui/with-right.tsx'
import { refreshAll, useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'

export function useReenrollment(id: string, onReturned: () => void) {
  const cache = useQueryClient()
  const { mutate, isPending, error } = useEndpointMutation(studentsApi.return, {
    onSuccess: () => {
      refreshAll(cache)
      onReturned()
    },
  })
  return { reenroll: () => mutate({ params: { id } }), isPending, error }
}

type Props = {
  name: string
  reenrollment: Pick<ReturnType<typeof useReenrollment>, 'reenroll' | 'isPending'>
  isInRow?: boolean
}

export const ReenrollButton = ({
  name,
  reenrollment: { reenroll, isPending },
  isInRow = false,
}: Props) => (
  <WithRight right={studentsApi.return.right}>
    <BusyButton
      {...(isInRow
        ? { variant: 'default', size: 'sm' }
        : { leftSection: <IconUserPlus size={20} aria-hidden /> })}
      aria-label={isPending ? undefined : `Re-enroll ${name}`}
      busy={isPending}
      busyLabel="Enrolling..."
      onClick={reenroll}
    >
      Re-enroll
    </BusyButton>
  </WithRight>
)
