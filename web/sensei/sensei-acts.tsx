import { Button, type ButtonProps, VisuallyHidden } from '@mantine/core'
import { IconKey, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import type { Sensei } from '@tatami/contract/sensei'
import classes from './sensei-acts.module.css'

/** What a super admin does about a sensei, each in a dialog of its own. */
export type Act = 'status' | 'password'
export type Choose = (sensei: Sensei, act: Act) => void

type Props = Pick<ButtonProps, 'size'> & { sensei: Sensei; onChoose: Choose; isInTable?: boolean }

/** In a table that has no room for their words they are icons, whose words are shown on hover and read out. */
export function SenseiActs({ sensei, onChoose, size, isInTable = false }: Props) {
  const toggle = sensei.is_active ? 'Deactivate' : 'Activate'
  const StatusIcon = sensei.is_active ? IconUserOff : IconUserCheck
  return (
    <div className={classes.acts} data-in-table={isInTable || undefined}>
      <Button
        variant={sensei.is_active ? 'default' : 'light'}
        size={size}
        aria-haspopup="dialog"
        title={isInTable ? toggle : undefined}
        onClick={() => onChoose(sensei, 'status')}
      >
        {isInTable && <StatusIcon size={20} stroke={1.75} aria-hidden />}
        <span className={classes.word}>{toggle}</span>
        <VisuallyHidden> {sensei.full_name}</VisuallyHidden>
      </Button>
      <Button
        variant="subtle"
        size={size}
        aria-haspopup="dialog"
        title={isInTable ? 'Reset password' : undefined}
        onClick={() => onChoose(sensei, 'password')}
      >
        {isInTable && <IconKey size={20} stroke={1.75} aria-hidden />}
        <span className={classes.word}>Reset password</span>
        <VisuallyHidden> of {sensei.full_name}</VisuallyHidden>
      </Button>
    </div>
  )
}
