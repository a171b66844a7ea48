import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { PreloadOnHover } from '../ui/lazy-component.tsx'

type Props = Pick<ActionIconProps, 'variant' | 'color' | 'className'> & {
  /** For example "Cancel, move or substitute Little Dragons" */
  label: string
  onAct: () => void
  intent: PreloadOnHover
}

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
