import { ActionIcon, Button, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import {
  createContext,
  use,
  useId,
  useState,
  type SubmitEventHandler,
  type ReactNode,
  useEffect,
} from 'react'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { flushSync } from 'react-dom'
import styles from './sheet.module.css'
import { useModal } from './use-modal.ts'

type SheetProps = {
  opened: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  actions?: ReactNode
  /** Makes the sheet a form. A form has the full height of a phone, and a tap outside does not
   *  close it. */
  onSubmit?: SubmitEventHandler<HTMLFormElement>
  size?: 'small' | 'medium' | 'large'
  role?: 'alertdialog'
  busy?: boolean
  isDirty?: boolean
  isLocked?: boolean
  /** If true, Back closes the sheet. If false, because a URL opened it, Back leaves the page. */
  hasHistoryEntry?: boolean
}

type SheetControls = { close: () => void; discard: () => void; busy: boolean }
const SheetControlsContext = createContext<SheetControls | null>(null)

export const useIsInSheet = (): boolean => use(SheetControlsContext) !== null

export const Sheet = ({ opened, ...props }: SheetProps) =>
  opened ? <OpenSheet {...props} /> : null

type CancelProps = {
  children?: string
  /** True for forms that the specification resets on Cancel. */
  closesWithoutAsking?: boolean
  hasFocus?: boolean
}

export function CancelButton({
  children = 'Cancel',
  closesWithoutAsking = false,
  hasFocus,
}: CancelProps) {
  const { busy, close, discard } = mustExist(
    use(SheetControlsContext),
    'The sheet around the button',
  )
  return (
    <Button
      variant="default"
      disabled={busy}
      onClick={closesWithoutAsking ? discard : close}
      data-autofocus={hasFocus}
    >
      {children}
    </Button>
  )
}

function OpenSheet(props: Omit<SheetProps, 'opened'>) {
  const { onClose, title, children, actions, onSubmit, size = 'medium', role } = props
  const { busy = false, isDirty = false, isLocked = false, hasHistoryEntry = true } = props
  const headingId = useId()
  const contentId = useId()
  // Screen readers read a whole message aloud when it opens, but not a whole form.
  const isMessage = size === 'small' && Boolean(actions) && !onSubmit
  const [isConfirmingDiscard, setConfirmingDiscard] = useState(false)
  /** Returns whether the sheet closes. */
  const close = () => {
    if (busy || isLocked) return false
    if (isDirty) {
      setConfirmingDiscard(!isConfirmingDiscard)
      return false
    }
    onClose()
    return true
  }
  const discard = () => {
    // The nested dialog must return the focus before the sheet does.
    flushSync(() => setConfirmingDiscard(false))
    onClose()
  }
  useUnloadWarning(isDirty)
  const modal = useModal({ close, ignoresBackdrop: Boolean(onSubmit), hasHistoryEntry })
  const sheetContent = (
    <fieldset disabled={isLocked} role="presentation" className={styles.sections}>
      <SheetHead id={headingId} title={title} busy={busy} onClose={close} />
      <div id={contentId} className={styles.content}>
        {children}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </fieldset>
  )
  return (
    <SheetControlsContext value={{ close, discard, busy }}>
      <dialog
        className={`dialog ${styles.sheet}`}
        data-size={size}
        data-form={Boolean(onSubmit)}
        role={role}
        aria-labelledby={headingId}
        aria-describedby={isMessage ? contentId : undefined}
        {...modal}
      >
        {onSubmit ? (
          <form className={styles.body} onSubmit={onSubmit} noValidate>
            {sheetContent}
          </form>
        ) : (
          <div className={styles.body}>{sheetContent}</div>
        )}
      </dialog>
      {isConfirmingDiscard && isDirty && (
        <DiscardDialog onKeep={() => setConfirmingDiscard(false)} onDiscard={discard} />
      )}
    </SheetControlsContext>
  )
}

type HeadProps = { id: string; title: ReactNode; busy: boolean; onClose: () => void }

const SheetHead = ({ id, title, busy, onClose }: HeadProps) => (
  <div className="dialog-head">
    <Title order={2} id={id} tabIndex={-1} className={styles.title}>
      {title}
    </Title>
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label="Close"
      disabled={busy}
      onClick={onClose}
    >
      <IconX size={20} />
    </ActionIcon>
  </div>
)

/** Asks whether to discard the input. It has no history entry, so Back returns to the form. */
const DiscardDialog = ({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) => (
  <OpenSheet
    onClose={onKeep}
    title="Discard what you typed?"
    size="small"
    role="alertdialog"
    hasHistoryEntry={false}
    actions={
      <>
        <Button variant="default" onClick={onKeep} data-autofocus>
          Keep editing
        </Button>
        <Button color="red" onClick={onDiscard}>
          Discard
        </Button>
      </>
    }
  >
    It hasn’t been saved or sent.
  </OpenSheet>
)

function useUnloadWarning(isNeeded: boolean) {
  useEffect(() => {
    const warn = (event: Event) => isNeeded && event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isNeeded])
}
