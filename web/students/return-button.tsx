import { IconUserPlus } from '@tabler/icons-react'
import { studentsApi } from '@tatami/contract/students/students'
import { useQueryClient } from '@tanstack/react-query'
import { refreshAll, useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'

export function useReturn(id: string, onReturned: () => void) {
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
  comeback: Pick<ReturnType<typeof useReturn>, 'reenroll' | 'isPending'>
  variant?: 'default'
}

export const ReturnButton = ({ name, comeback: { reenroll, isPending }, ...button }: Props) => (
  <BusyButton
    {...button}
    leftSection={<IconUserPlus size={20} aria-hidden />}
    aria-label={isPending ? undefined : `Re-enroll ${name}`}
    busy={isPending}
    busyLabel="Enrolling..."
    onClick={reenroll}
  >
    Re-enroll
  </BusyButton>
)
