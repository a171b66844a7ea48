import { Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorNotice } from './notices.tsx'
import styles from './switch-row.module.css'
import kit from './kit.module.css'

type Props = {
  label: string
  description: ReactNode
  checked: boolean
  onChange: (isOn: boolean) => void
  disabled?: boolean
  error?: string | false | null
  onRetry?: (() => void) | undefined
}

export const SwitchRow = ({
  label,
  description,
  checked,
  onChange,
  disabled,
  error,
  onRetry,
}: Props) => (
  <div className={`${kit.stackTight} ${styles.setting}`}>
    <Switch
      label={label}
      description={description}
      labelPosition="left"
      size="md"
      classNames={styles}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <ErrorNotice {...(onRetry && { onRetry })}>{error}</ErrorNotice>
  </div>
)
