import { Button, type ButtonProps, VisuallyHidden } from '@mantine/core'
import type { Sensei } from '@tatami/contract/sensei'
import classes from './sensei-acts.module.css'
import { StatusButton } from './status-button.tsx'

/** What a super admin does about a sensei, each in a dialog of its own. */
export type Act = 'status' | 'password'
export type Choose = (sensei: Sensei, act: Act) => void

type Props = Pick<ButtonProps, 'size'> & { sensei: Sensei; onChoose: Choose }

export const SenseiActs = ({ sensei, onChoose, size }: Props) => (
  <div className={classes.acts}>
    <StatusButton sensei={sensei} onChoose={() => onChoose(sensei, 'status')} size={size} />
    <Button variant="subtle" size={size} aria-haspopup="dialog" onClick={() => onChoose(sensei, 'password')}>
      Reset password<VisuallyHidden> of {sensei.full_name}</VisuallyHidden>
    </Button>
  </div>
)
