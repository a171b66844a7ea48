import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { PreloadOnHover } from '../ui/lazy-component.tsx'

type Props = Pick<ActionIconProps, 'variant' | 'color' | 'className'> & {
  label: string
  onOpen: () => void
  preloadOnHover: PreloadOnHover
}

export const DateActionsButton = ({ label, onOpen, preloadOnHover, ...iconProps }: Props) => (
  <ActionIcon
    {...iconProps}
    size={44}
    aria-label={label}
    aria-haspopup="dialog"
    onClick={onOpen}
    {...preloadOnHover}
  >
    <IconDots size={20} />
  </ActionIcon>
)
