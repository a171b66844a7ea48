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

const MESSAGE_TYPES: { type: WrittenType; icon: Icon; about: string }[] = [
  { type: 'special_announcement', icon: IconSpeakerphone, about: 'Anything, to some classes' },
  { type: 'weather_cancel', icon: IconCloudStorm, about: 'No class because of the weather' },
  { type: 'monthly_fee', icon: IconCalendarDollar, about: 'To those who haven’t paid yet' },
  { type: 'late_fee', icon: IconClockExclamation, about: 'To those who are late' },
]
const DIALOGS = ['compose', ...MESSAGE_TYPES.map(({ type }) => type)] as const
type Dialog = (typeof DIALOGS)[number]

const draftType = () =>
  MESSAGE_TYPES.find(({ type }) => type === drafts.subjectOf('message'))?.type ?? null

/** Which dialog for group messages is open, and the results of sending. */
export function useCompose() {
  const [dialog, open, close] = useLinkedDialog<Dialog>(DIALOGS, draftType)
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
  useLayout() === 'desktop' ? <ComposeButton {...props} /> : null

export function ComposeDialogs({ compose }: Props) {
  const { dialog, open, close, results, onSent } = compose
  return (
    <>
      <ResultBanners results={results} />
      <BottomActions>
        <ComposeButton compose={compose} />
      </BottomActions>
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
      {MESSAGE_TYPES.map(({ type, icon: TypeIcon, about }) => (
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
