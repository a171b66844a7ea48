import { Button, type ButtonProps, VisuallyHidden } from '@mantine/core'
import type { Sensei } from '@tatami/contract/sensei'

type Props = Pick<ButtonProps, 'size'> & { sensei: Sensei; onChoose: () => void }

export const StatusButton = ({ sensei, onChoose, size }: Props) => (
  <Button variant={sensei.is_active ? 'default' : 'light'} size={size} aria-haspopup="dialog" onClick={onChoose}>
    {sensei.is_active ? 'Deactivate' : 'Activate'}
    <VisuallyHidden> {sensei.full_name}</VisuallyHidden>
  </Button>
)
