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
import { flushSync } from 'react-dom'
import styles from './sheet.module.css'
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
  /** Something is under way: nothing closes the sheet until it is known how that ended. */
  busy?: boolean
  /** Something was typed and not sent: closing asks first. */
  unsent?: boolean
  /** A dialog above this one is at work on what it shows: everything in it is disabled. */
  locked?: boolean
  /** Whether Back closes it. Not where the address itself opened it: Back leaves that address. */
  hasHistoryEntry?: boolean
}

type Closing = { close: () => void; discard: () => void; busy: boolean }
const ClosingContext = createContext<Closing | null>(null)

/** True for what stands in a dialog. */
export const useIsInSheet = (): boolean => use(ClosingContext) !== null

/** A dialog that rises from below on a phone and stands in the middle elsewhere. What is in it lives only while it is open. */
export const Sheet = ({ opened, ...props }: SheetProps) =>
  opened ? <OpenSheet {...props} /> : null

type CancelProps = {
  children?: string
  /** Closes without asking what was typed: where the specification says that Cancel resets the form. */
  discards?: boolean
  /** Has the focus when the sheet opens. */
  isFirst?: boolean
}

/** Closes the sheet that it stands in, as × does. */
export function CancelButton({ children = 'Cancel', discards = false, isFirst }: CancelProps) {
  const closing = use(ClosingContext)!
  return (
    <Button
      variant="default"
      disabled={closing.busy}
      onClick={discards ? closing.discard : closing.close}
      data-autofocus={isFirst}
    >
      {children}
    </Button>
  )
}

function OpenSheet(props: Omit<SheetProps, 'opened'>) {
  const { onClose, title, children, actions, onSubmit, size = 'medium', role } = props
  const { busy = false, unsent = false, locked = false, hasHistoryEntry = true } = props
  const heading = useId()
  const content = useId()
  // A message is read out with its title; what is in a form is found field by field.
  const isMessage = size === 'small' && Boolean(actions) && !onSubmit
  const [isAsking, setIsAsking] = useState(false)
  const close = () => {
    const mayClose = !busy && !locked && !unsent
    if (!busy && !locked && unsent) setIsAsking(!isAsking)
    if (mayClose) onClose()
    return mayClose
  }
  const discard = () => {
    // The question gives the focus back before the sheet does.
    flushSync(() => setIsAsking(false))
    onClose()
  }
  useUnloadWarning(unsent)
  const modal = useModal({ close, ignoresBackdrop: Boolean(onSubmit), hasHistoryEntry })
  const body = (
    <fieldset disabled={locked} role="presentation" className={styles.parts}>
      <div className="dialog-head">
        <Title order={2} id={heading} tabIndex={-1} className={styles.title}>
          {title}
        </Title>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Close"
          disabled={busy}
          onClick={close}
        >
          <IconX size={20} />
        </ActionIcon>
      </div>
      <div id={content} className={styles.content}>
        {children}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </fieldset>
  )
  return (
    <ClosingContext value={{ close, discard, busy }}>
      <dialog
        className={`dialog ${styles.sheet}`}
        data-size={size}
        data-form={Boolean(onSubmit)}
        role={role}
        aria-labelledby={heading}
        aria-describedby={isMessage ? content : undefined}
        {...modal}
      >
        {onSubmit ? (
          <form className={styles.body} onSubmit={onSubmit} noValidate>
            {body}
          </form>
        ) : (
          <div className={styles.body}>{body}</div>
        )}
      </dialog>
      {isAsking && unsent && (
        <DiscardQuestion onKeep={() => setIsAsking(false)} onDiscard={discard} />
      )}
    </ClosingContext>
  )
}

/** Has no entry of its own in the history: Back keeps editing. */
const DiscardQuestion = ({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) => (
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
    It has not been saved or sent.
  </OpenSheet>
)

/** While there is something to lose, the browser asks before it reloads or closes the page. */
function useUnloadWarning(isNeeded: boolean) {
  useEffect(() => {
    const warn = (event: Event) => isNeeded && event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isNeeded])
}
