import { ActionIcon, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useId, type SubmitEventHandler, type ReactNode } from 'react'
import classes from './sheet.module.css'
import { useModal } from './use-modal.ts'

type SheetProps = {
  opened: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  /** Buttons that stay in reach below what scrolls. */
  actions?: ReactNode
  /** Makes the sheet a form: full height on a phone, and a stray tap beside it does not close it. */
  onSubmit?: SubmitEventHandler<HTMLFormElement>
  size?: 'small' | 'medium' | 'large'
  role?: 'alertdialog'
}

/** A dialog that rises from below on a phone and stands in the middle elsewhere. What is in it lives only while it is open. */
export const Sheet = ({ opened, ...rest }: SheetProps) => (opened ? <OpenSheet {...rest} /> : null)

function OpenSheet({ onClose, title, children, actions, onSubmit, size = 'medium', role }: Omit<SheetProps, 'opened'>) {
  const heading = useId()
  const content = useId()
  // A message is read out with its title; what is in a form is found field by field.
  const isMessage = size === 'small' && Boolean(actions) && !onSubmit
  const modal = useModal({ onClose, staysOnTap: Boolean(onSubmit) })
  const body = (
    <>
      <div className={classes.head}>
        <Title order={2} id={heading} tabIndex={-1} className={classes.title}>
          {title}
        </Title>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Close" onClick={onClose}>
          <IconX size={20} />
        </ActionIcon>
      </div>
      <div id={content} className={classes.content}>
        {children}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </>
  )
  return (
    <dialog
      className={classes.sheet}
      data-size={size}
      data-form={Boolean(onSubmit)}
      role={role}
      aria-labelledby={heading}
      aria-describedby={isMessage ? content : undefined}
      {...modal}
    >
      {onSubmit ? (
        <form className={classes.body} onSubmit={onSubmit} noValidate>
          {body}
        </form>
      ) : (
        <div className={classes.body}>{body}</div>
      )}
    </dialog>
  )
}
