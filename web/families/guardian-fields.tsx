import { TextInput } from '@mantine/core'
import { EmailField } from '../accounts/email-field.tsx'

type Props = {
  getInputProps: (name: string) => object
  /** Begins the names of the fields if the form has other parts, too: "guardian." */
  prefix?: string
  hasLogin?: boolean
}

export const GuardianFields = ({ getInputProps, prefix = '', hasLogin }: Props) => (
  <>
    <TextInput
      {...getInputProps(`${prefix}name`)}
      label="Guardian’s name"
      required
      autoComplete="off"
      autoCapitalize="words"
    />
    <TextInput
      {...getInputProps(`${prefix}phone`)}
      label="Guardian’s phone number"
      type="tel"
      autoComplete="off"
    />
    <EmailField
      {...getInputProps(`${prefix}email`)}
      label="Guardian’s email"
      autoComplete="off"
      description={hasLogin ? 'They log in with it' : 'They log in with it once you invite them'}
    />
  </>
)
