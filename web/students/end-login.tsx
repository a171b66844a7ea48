import { Button, Text } from '@mantine/core'
import { familiesApi } from '@tatami/contract/families/families'
import { firstName } from '@tatami/contract/lib/name-parts'
import { useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { useRefreshFamilies } from '../families/use-families.ts'

type Props = { student: { id: string; name: string; email: string } }

export function EndLogin({ student }: Props) {
  const [isConfirming, setConfirming] = useState(false)
  const refresh = useRefreshFamilies()
  const endLogin = useEndpointMutation(familiesApi.endLogin, {
    onSuccess: async () => {
      await refresh()
      setConfirming(false)
    },
  })
  return (
    <>
      <Button variant="default" size="sm" onClick={() => setConfirming(true)}>
        End login
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => endLogin.mutate({ params: { id: student.id } })}
        title={`End ${student.name}’s login?`}
        confirmLabel="End login"
        busyLabel="Ending..."
        {...progressProps(endLogin, 'The login could not be ended.')}
        danger
      >
        <Text>
          {student.email} is logged out everywhere and can’t log in again. {firstName(student.name)}{' '}
          stays a student without an email.
        </Text>
      </ConfirmDialog>
    </>
  )
}
