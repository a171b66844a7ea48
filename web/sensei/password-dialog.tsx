import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { IconDice5 } from '@tabler/icons-react'
import {
  ENTER_NEW_PASSWORD,
  PASSWORD_STRENGTHS,
  passwordReset,
  passwordStrength,
  type Sensei,
  senseiApi,
} from '@tatami/contract/sensei/sensei'
import { type SubmitEvent, useState } from 'react'
import { NewPasswordField } from '../accounts/new-password-field.tsx'
import { errorMessage } from '../lib/api.ts'
import { fieldErrors } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { DoneNotice } from '../ui/notices.tsx'
import { MessageDialog } from '../ui/message-dialogs.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { generatePassword } from './generate-password.ts'
import styles from './password-dialog.module.css'
import kit from '../ui/kit.module.css'

const findPasswordError = (new_password: string) =>
  new_password === ''
    ? ENTER_NEW_PASSWORD
    : fieldErrors(passwordReset, { new_password }).new_password

/** Asks for confirmation with the browser's own dialog (specification, section 5). */
export function PasswordDialog({ sensei, onClose }: { sensei: Sensei; onClose: () => void }) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [removesSecondFactor, setRemovesSecondFactor] = useState(false)
  const reset = useEndpointMutation(senseiApi.resetPassword)
  const change = (newPassword: string) => {
    setPassword(newPassword)
    setError(undefined)
  }
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (reset.isPending) return
    const newError = findPasswordError(password)
    setError(newError)
    if (newError) return
    const question = `Reset the password of ${sensei.full_name}? They will be logged out and notified.`
    if (!window.confirm(question)) return
    reset.mutate({
      params: { id: sensei.sensei_id },
      body: { new_password: password, remove_second_factor: removesSecondFactor },
    })
  }
  if (reset.isSuccess)
    return <PasswordResetNotice sensei={sensei} password={password} onClose={onClose} />
  return (
    <FormDialog
      onClose={onClose}
      title="Reset password"
      size="small"
      onSubmit={save}
      busy={reset.isPending}
      isDirty={password !== ''}
      error={
        reset.isError &&
        `Password reset failed: ${errorMessage(reset.error, 'Failed to reset password')}`
      }
      submitLabel="Reset password"
      busyLabel="Resetting..."
    >
      <Text>
        {sensei.full_name}, {sensei.email}
      </Text>
      <PasswordInput sensei={sensei} password={password} error={error} onChange={change} />
      <Checkbox
        label="Remove their second factor"
        description="Passkeys, authenticator app and recovery codes, for someone who lost them"
        checked={removesSecondFactor}
        onChange={(event) => setRemovesSecondFactor(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}

type PasswordInputProps = {
  sensei: Sensei
  password: string
  error: string | undefined
  onChange: (password: string) => void
}

function PasswordInput({ sensei, password, error, onChange }: PasswordInputProps) {
  const [generatedCount, setGeneratedCount] = useState(0)
  const generate = () => {
    onChange(generatePassword())
    setGeneratedCount((count) => count + 1)
  }
  return (
    <>
      <NewPasswordField
        key={generatedCount}
        isInitiallyVisible={generatedCount > 0}
        label="New password"
        description="At least 8 characters"
        ownNames={[sensei.full_name, sensei.email, sensei.dojo_name]}
        value={password}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <PasswordStrength password={password} />
      <Button
        variant="default"
        leftSection={<IconDice5 size={20} aria-hidden />}
        onClick={generate}
      >
        Generate password
      </Button>
    </>
  )
}

function PasswordStrength({ password }: { password: string }) {
  const strength = passwordStrength(password)
  const levelReached = PASSWORD_STRENGTHS.indexOf(strength)
  return (
    <div className={`${kit.note} ${styles.strength}`} data-strength={password && strength}>
      <span className={styles.bar} aria-hidden>
        {PASSWORD_STRENGTHS.map((level, index) => (
          <span key={level} data-reached={password !== '' && index <= levelReached} />
        ))}
      </span>
      <span role="status">
        {password && (
          <>
            Strength: <strong>{strength}</strong>
          </>
        )}
      </span>
    </div>
  )
}

type PasswordResetNoticeProps = { sensei: Sensei; password: string; onClose: () => void }

const PasswordResetNotice = ({ sensei, password, onClose }: PasswordResetNoticeProps) => (
  <MessageDialog title={sensei.full_name} button="Close" onClose={onClose}>
    <Stack gap="md">
      <DoneNotice>
        The password was reset. {sensei.full_name} is logged out everywhere and will be notified.
        The notification doesn’t include the password.
      </DoneNotice>
      <CopyField label="New password" value={password} />
    </Stack>
  </MessageDialog>
)
