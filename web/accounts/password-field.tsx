import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { type Ref, useState } from 'react'

type Props = Omit<TextInputProps, 'type' | 'rightSection'> & {
  autoComplete: 'current-password' | 'new-password'
  isInitiallyVisible?: boolean
  ref?: Ref<HTMLInputElement>
}

export function PasswordField({ isInitiallyVisible = false, ...props }: Props) {
  const [isVisible, setVisible] = useState(isInitiallyVisible)
  const Eye = isVisible ? IconEyeOff : IconEye
  return (
    <TextInput
      {...props}
      type={isVisible ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      rightSectionWidth="2.75rem"
      rightSection={
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={isVisible ? 'Hide password' : 'Show password'}
          // Keeps the focus in the field, and the phone's keyboard open.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setVisible(!isVisible)}
        >
          <Eye size={20} stroke={1.5} aria-hidden />
        </ActionIcon>
      }
    />
  )
}
