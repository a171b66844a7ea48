import { Button, Stack, Text } from '@mantine/core'
import { IconDice5 } from '@tabler/icons-react'
import { ENTER_NEW_PASSWORD, passwordReset, type Sensei, senseiApi } from '@tatami/contract/sensei'
import { type SubmitEvent, useState } from 'react'
import { PasswordField } from '../accounts/password-field.tsx'
import { explain } from '../lib/api.ts'
import { fieldErrors } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormNotice } from '../ui/form-notice.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { generatePassword } from './generate-password.ts'
import { PasswordDone } from './password-done.tsx'
import { PasswordStrength } from './password-strength.tsx'

const complaintAbout = (new_password: string) =>
  new_password === '' ? ENTER_NEW_PASSWORD : fieldErrors(passwordReset, { new_password }).new_password

/** Sets a sensei's password, after the browser has asked once more (specification, section 5). */
export function PasswordDialog({ sensei, onClose }: { sensei: Sensei; onClose: () => void }) {
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [generated, setGenerated] = useState(0)
  const reset = useEndpointMutation(senseiApi.resetPassword)
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (reset.isPending) return
    const complaint = complaintAbout(password)
    setWrong(complaint)
    if (
      complaint ||
      !window.confirm(`Reset the password of ${sensei.full_name}? This logs them out everywhere, and they will be notified.`)
    )
      return
    reset.mutate({ params: { id: sensei.sensei_id }, body: { new_password: password } })
  }
  const generate = () => {
    setPassword(generatePassword())
    setWrong(undefined)
    setGenerated((times) => times + 1)
  }
  if (reset.isSuccess) return <PasswordDone sensei={sensei} password={password} onClose={onClose} />
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Reset password"
      size="small"
      onSubmit={save}
      busy={reset.isPending}
      unsent={password !== ''}
      actions={
        <>
          <FormNotice>{reset.isError && `Password reset failed: ${explain(reset.error, 'Failed to reset password')}`}</FormNotice>
          <CancelButton />
          <BusyButton type="submit" busy={reset.isPending} busyLabel="Resetting...">
            Reset password
          </BusyButton>
        </>
      }
    >
      <Stack gap="md">
        <Text>
          {sensei.full_name}, {sensei.email}
        </Text>
        <PasswordField
          key={generated}
          startsShown={generated > 0}
          label="New password"
          description="At least 8 characters"
          autoComplete="new-password"
          value={password}
          error={wrong}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <PasswordStrength password={password} />
        <Button variant="default" leftSection={<IconDice5 size={20} aria-hidden />} onClick={generate}>
          Generate password
        </Button>
      </Stack>
    </Sheet>
  )
}
