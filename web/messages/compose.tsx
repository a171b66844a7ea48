import { Button } from '@mantine/core'
import {
  IconCalendarDollar,
  IconChevronRight,
  IconClockExclamation,
  IconCloudStorm,
  IconPencilPlus,
  IconSpeakerphone,
  type Icon,
} from '@tabler/icons-react'
import type { NeededRight } from '@tatami/contract/needed-rights'
import { WithRight } from '../ui/with-right.tsx'
import { useCan } from '../lib/current-user.ts'
import { drafts } from '../lib/drafts.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { useLinkedDialog } from '../lib/linked-dialog.ts'
import { BULK_MESSAGES, type WrittenType } from '../texting/bulk-messages.ts'
import { ResultBanners, type SendResult, useSendResults } from '../texting/result-banner.tsx'
import { FramedList } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { BottomActions } from '../ui/page-header.tsx'
import { Sheet } from '../ui/sheet.tsx'
import styles from './message-center.module.css'
import kit from '../ui/kit.module.css'

const BulkMessageDialog = lazyComponent(
  () => import('../texting/bulk-message-dialog.tsx'),
  'BulkMessageDialog',
)

type MessageType = { type: WrittenType; icon: Icon; about: string; right: NeededRight }

const MESSAGE_TYPES: MessageType[] = [
  {
    type: 'special_announcement',
    icon: IconSpeakerphone,
    about: 'Anything, to some classes',
    right: 'texts.send',
  },
  {
    type: 'weather_cancel',
    icon: IconCloudStorm,
    about: 'No class because of the weather',
    right: 'texts.send',
  },
  {
    type: 'monthly_fee',
    icon: IconCalendarDollar,
    about: 'To families who haven’t paid yet',
    right: ['texts.send', 'money.see'],
  },
  {
    type: 'late_fee',
    icon: IconClockExclamation,
    about: 'To families who are late',
    right: ['texts.send', 'money.see'],
  },
]
type Dialog = 'compose' | WrittenType

function useMessageTypes() {
  const can = useCan()
  return MESSAGE_TYPES.filter(({ right }) => can(right))
}

const findDraftType = () =>
  MESSAGE_TYPES.find(({ type }) => type === drafts.subjectOf('message'))?.type ?? null

/** Keeps which dialog for group messages is open, and the results of sending. */
export function useCompose() {
  const types = useMessageTypes().map(({ type }) => type)
  const dialogs = types.length === 0 ? [] : (['compose', ...types] as const)
  const [dialog, open, close] = useLinkedDialog<Dialog>(dialogs, findDraftType)
  const { results, show } = useSendResults()
  const onSent = (result: SendResult) => {
    close()
    show(result)
  }
  return { dialog, open, close, results, onSent, preload: BulkMessageDialog.preload }
}
export type Compose = ReturnType<typeof useCompose>

type Props = { compose: Compose }

const ComposeButton = ({ compose: { open } }: Props) => (
  <Button
    leftSection={<IconPencilPlus size={20} aria-hidden />}
    aria-haspopup="dialog"
    onClick={() => open('compose')}
  >
    Compose
  </Button>
)

/** For the header. On a phone, ComposeDialogs puts the button above the tabs. */
export const HeaderComposeButton = (props: Props) =>
  useLayout() === 'desktop' ? (
    <WithRight right="texts.send">
      <ComposeButton {...props} />
    </WithRight>
  ) : null

export function ComposeDialogs({ compose }: Props) {
  const { dialog, open, close, results, onSent } = compose
  return (
    <>
      <ResultBanners results={results} />
      <WithRight right="texts.send">
        <BottomActions>
          <ComposeButton compose={compose} />
        </BottomActions>
      </WithRight>
      {dialog === 'compose' && <TypesSheet onChoose={open} onClose={close} />}
      {dialog && dialog !== 'compose' && (
        <BulkMessageDialog key={dialog} type={dialog} onClose={close} onSent={onSent} />
      )}
    </>
  )
}

type TypesProps = { onChoose: (type: WrittenType) => void; onClose: () => void }

const TypesSheet = ({ onChoose, onClose }: TypesProps) => (
  <Sheet opened onClose={onClose} title="Compose" size="small">
    <FramedList>
      {useMessageTypes().map(({ type, icon: TypeIcon, about }) => (
        <li key={type} className={`${kit.line} ${styles.buttonRow} ${styles.kind}`}>
          <TypeIcon size={24} stroke={1.5} aria-hidden />
          <div className={kit.fill}>
            <button
              type="button"
              className={`${kit.bareButton} ${kit.strong} ${styles.rowButton}`}
              onClick={() => onChoose(type)}
              {...BulkMessageDialog.preloadOnHover}
            >
              {BULK_MESSAGES[type].name}
            </button>
            <p className={kit.note}>{about}</p>
          </div>
          <IconChevronRight size={20} aria-hidden className={kit.muted} />
        </li>
      ))}
    </FramedList>
  </Sheet>
)
