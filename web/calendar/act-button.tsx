import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { Intent } from '../ui/lazy-component.tsx'

type Props = Pick<ActionIconProps, 'variant' | 'color' | 'className'> & {
  /** "Cancel, move or substitute Little Dragons" */
  label: string
  onAct: () => void
  intent: Intent
}

/** "…": opens what can be done with a date of a class. */
export const ActButton = ({ label, onAct, intent, ...looks }: Props) => (
  <ActionIcon
    {...looks}
    size={44}
    aria-label={label}
    aria-haspopup="dialog"
    onClick={onAct}
    {...intent}
  >
    <IconDots size={20} />
  </ActionIcon>
)
