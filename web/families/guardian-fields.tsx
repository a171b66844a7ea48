import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmailField } from '../accounts/email-field.tsx'

type Props = {
  getInputProps: (name: string) => object
  /** The start of the fields' names in the form, such as "guardian.". */
  prefix?: string
  hasLogin?: boolean
  needsPhone?: boolean
  belowName?: ReactNode
  afterPhone?: ReactNode
}

export function GuardianFields(props: Props) {
  const { getInputProps, prefix = '', hasLogin } = props
  const { needsPhone = false, belowName, afterPhone } = props
  return (
    <>
      <div>
        <TextInput
          {...getInputProps(`${prefix}name`)}
          label="Guardian’s name"
          required
          autoComplete="off"
          autoCapitalize="words"
        />
        {belowName}
      </div>
      <TextInput
        {...getInputProps(`${prefix}phone`)}
        label="Guardian’s phone number"
        type="tel"
        required={needsPhone}
        autoComplete="off"
      />
      {afterPhone}
      <EmailField
        {...getInputProps(`${prefix}email`)}
        label="Guardian’s email"
        autoComplete="off"
        description={hasLogin ? 'They log in with it' : 'They log in with it after you invite them'}
      />
    </>
  )
}
