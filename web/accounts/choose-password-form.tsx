import { Stack } from '@mantine/core'
import type { ReactNode, Ref, SubmitEventHandler } from 'react'
import { NewPasswordField } from './new-password-field.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'

type Props = {
  onSubmit: SubmitEventHandler<HTMLFormElement>
  label: string
  /** The field's own: value, error, what to do when it changes. */
  field: object
  /** Names and the email of its owner, where they are known. */
  ownWords?: readonly string[]
  fieldRef?: Ref<HTMLInputElement>
  busy: boolean
  /** Why the last press failed. */
  error: ReactNode
  submit: string
  submitting: string
  /** What stands above the field. */
  children?: ReactNode
}

/** A form in which a password is chosen, and nothing else. */
export const ChoosePasswordForm = ({
  onSubmit,
  label,
  field,
  fieldRef,
  ownWords = [],
  busy,
  error,
  submit,
  submitting,
  children,
}: Props) => (
  <form noValidate onSubmit={onSubmit}>
    <Stack gap="md">
      {children}
      <NewPasswordField
        {...field}
        ref={fieldRef}
        label={label}
        description="At least 8 characters"
        ownWords={ownWords}
      />
      <ErrorNotice>{error}</ErrorNotice>
      <BusyButton type="submit" fullWidth busy={busy} busyLabel={submitting}>
        {submit}
      </BusyButton>
    </Stack>
  </form>
)
