import {
  IconBuilding,
  IconCalendarShare,
  IconDatabaseExport,
  IconDeviceTablet,
  IconKarate,
  IconListDetails,
  IconPalette,
  IconMessageCog,
  IconShieldCheck,
  IconTags,
  IconUserPlus,
  IconUsersGroup,
} from '@tabler/icons-react'
import { exportsApi } from '@tatami/contract/exports/exports'
import type { NeededRight } from '@tatami/contract/rights'
import { FeedLoading } from '../calendar/feed-loading.tsx'
import { useCan, useCurrentUser } from '../lib/current-user.ts'
import { drafts } from '../lib/drafts.ts'
import { PATHS } from '../lib/paths.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { useLinkedDialog } from '../lib/linked-dialog.ts'
import { FramedList } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { PanelColumns } from '../ui/panel.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { WithRight } from '../ui/with-right.tsx'
import { SchoolRow } from './school-row.tsx'
import kit from '../ui/kit.module.css'

const SettingsDialog = lazyComponent(
  () => import('../profile/settings-dialog.tsx'),
  'SettingsDialog',
)
const SchoolLookSheet = lazyComponent(
  () => import('../pictures/school-look.tsx'),
  'SchoolLookSheet',
)
const InvitationSheet = lazyComponent(() => import('../dojos/invitation.tsx'), 'InvitationSheet')
const SiblingPricesDialog = lazyComponent(
  () => import('../dues/sibling-prices-dialog.tsx'),
  'SiblingPricesDialog',
)
const CalendarFeed = lazyComponent(
  () => import('../calendar/calendar-feed.tsx'),
  'CalendarFeed',
  <FeedLoading />,
)
const DojoDataSheet = lazyComponent(() => import('../exports/dojo-data.tsx'), 'DojoDataSheet')

/** What a member of staff needs to open each dialog */
const DIALOG_RIGHTS = {
  settings: 'settings',
  look: 'settings',
  invite: 'students.edit',
  prices: ['money.see', 'settings'],
  calendar: 'own',
  data: exportsApi.everything.right,
} as const satisfies Record<string, NeededRight>
type Dialog = keyof typeof DIALOG_RIGHTS
const DIALOGS = Object.keys(DIALOG_RIGHTS) as Dialog[]

/** The rights that open a row of the first list. Without any of them, there is no list. */
const PEOPLE_AND_MONEY_RIGHTS = ['settings', 'students.edit', 'staff'] as const

/** Everything that belongs to the school as a whole. */
export function School() {
  const can = useCan()
  const [dialog, openDialog, closeDialog] = useLinkedDialog(
    DIALOGS.filter((name) => can(DIALOG_RIGHTS[name])),
    () => (drafts.subjectOf('sibling-prices') === undefined ? null : 'prices'),
  )
  return (
    <div className={kit.stack}>
      <PageHeader title="School" />
      <PanelColumns>
        {PEOPLE_AND_MONEY_RIGHTS.some(can) && <PeopleAndMoney onOpen={openDialog} />}
        <DevicesAndData onOpen={openDialog} />
      </PanelColumns>
      {dialog && <OpenDialog dialog={dialog} onClose={closeDialog} />}
    </div>
  )
}

type RowsProps = { onOpen: (dialog: Dialog) => void }

function PeopleAndMoney({ onOpen }: RowsProps) {
  const { dojo_name, city } = useCurrentUser()
  return (
    <FramedList aria-label="School">
      <WithRight right={DIALOG_RIGHTS.settings}>
        <SchoolRow
          icon={IconBuilding}
          name="Name and address"
          about={joinNonEmpty([dojo_name, city]) || 'Also your email, password and time zone'}
          preload={SettingsDialog.preload}
          onOpen={() => onOpen('settings')}
        />
      </WithRight>
      <WithRight right={DIALOG_RIGHTS.look}>
        <SchoolRow
          icon={IconPalette}
          name="Logo and color"
          about="On the join page, the kiosk, receipts and certificates"
          preload={SchoolLookSheet.preload}
          onOpen={() => onOpen('look')}
        />
      </WithRight>
      <WithRight right={DIALOG_RIGHTS.invite}>
        <SchoolRow
          icon={IconUserPlus}
          name="Invite link"
          about="New students sign up by themselves"
          preload={InvitationSheet.preload}
          onOpen={() => onOpen('invite')}
        />
      </WithRight>
      <WithRight right="settings">
        <SchoolRow
          icon={IconMessageCog}
          name="Texting"
          about="The service that sends your texts"
          to={PATHS.smsSetup}
        />
      </WithRight>
      <WithRight right={DIALOG_RIGHTS.prices}>
        <SchoolRow
          icon={IconTags}
          name="Prices"
          about="Discounts for brothers and sisters"
          preload={SiblingPricesDialog.preload}
          onOpen={() => onOpen('prices')}
        />
      </WithRight>
      <WithRight right="settings">
        <SchoolRow
          icon={IconKarate}
          name="Belts"
          about="Your ranks and their requirements"
          to={PATHS.belts}
        />
      </WithRight>
      <WithRight right="staff">
        <SchoolRow
          icon={IconUsersGroup}
          name="Staff"
          about="Who works here, and what each may do"
          to={PATHS.staff}
        />
      </WithRight>
    </FramedList>
  )
}

const DevicesAndData = ({ onOpen }: RowsProps) => (
  <FramedList aria-label="Devices and data">
    <WithRight right="kiosk">
      <SchoolRow
        icon={IconDeviceTablet}
        name="Kiosk"
        about="Students check in on a tablet at the door"
        to={PATHS.kiosks}
      />
    </WithRight>
    <SchoolRow
      icon={IconCalendarShare}
      name="Calendar"
      about="Your classes in your phone’s calendar"
      preload={CalendarFeed.preload}
      onOpen={() => onOpen('calendar')}
    />
    <SchoolRow
      icon={IconShieldCheck}
      name="Login and devices"
      about="Passkeys, and where you are logged in"
      to={PATHS.security}
    />
    <WithRight right={DIALOG_RIGHTS.data}>
      <SchoolRow
        icon={IconDatabaseExport}
        name="Your data"
        about="Download everything"
        preload={DojoDataSheet.preload}
        onOpen={() => onOpen('data')}
      />
    </WithRight>
    <WithRight right="staff">
      <SchoolRow
        icon={IconListDetails}
        name="Audit log"
        about="Who did what in your school"
        to={PATHS.auditLog}
      />
    </WithRight>
  </FramedList>
)

function OpenDialog({ dialog, onClose }: { dialog: Dialog; onClose: () => void }) {
  if (dialog === 'settings') return <SettingsDialog onClose={onClose} />
  if (dialog === 'look') return <SchoolLookSheet onClose={onClose} />
  if (dialog === 'invite') return <InvitationSheet onClose={onClose} />
  if (dialog === 'prices') return <SiblingPricesDialog onClose={onClose} />
  if (dialog === 'data') return <DojoDataSheet onClose={onClose} />
  return (
    <Sheet opened onClose={onClose} title="Calendar">
      <CalendarFeed userRole="instructor" />
    </Sheet>
  )
}
