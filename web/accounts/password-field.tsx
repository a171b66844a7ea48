import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { type Ref, useState } from 'react'

type Props = Omit<TextInputProps, 'type' | 'rightSection'> & {
  autoComplete: 'current-password' | 'new-password'
  startsShown?: boolean
  ref?: Ref<HTMLInputElement>
}

export function PasswordField({ startsShown = false, ...props }: Props) {
  const [isShown, setShown] = useState(startsShown)
  const Eye = isShown ? IconEyeOff : IconEye
  return (
    <TextInput
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      rightSectionWidth="2.75rem"
      rightSection={
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={isShown ? 'Hide password' : 'Show password'}
          // Keeps the focus in the field, and the phone's keyboard open.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setShown(!isShown)}
        >
          <Eye size={20} stroke={1.5} aria-hidden />
        </ActionIcon>
      }
    />
  )
}
