import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'

type Props = Pick<ActionIconProps, 'variant' | 'color' | 'className'> & {
  /** "Cancel, move or substitute Little Dragons" */
  label: string
  onAct: () => void
  /** Somebody is about to press it. */
  onIntent: () => void
}

/** "…": opens what can be done with a date of a class. */
export const ActButton = ({ label, onAct, onIntent, ...looks }: Props) => (
  <ActionIcon
    {...looks}
    size={44}
    aria-label={label}
    aria-haspopup="dialog"
    onClick={onAct}
    onPointerEnter={onIntent}
    onFocus={onIntent}
  >
    <IconDots size={20} />
  </ActionIcon>
)
