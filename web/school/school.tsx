import {
  type Icon,
  IconBuilding,
  IconCalendarShare,
  IconClock,
  IconCertificate,
  IconCreditCard,
  IconDatabaseExport,
  IconDeviceTablet,
  IconKarate,
  IconListDetails,
  IconPalette,
  IconReportMoney,
  IconMessageCog,
  IconReceiptTax,
  IconSeedling,
  IconShieldCheck,
  IconTags,
  IconTicket,
  IconUserHeart,
  IconUserPlus,
  IconUsersGroup,
  IconWorld,
  IconWritingSign,
} from '@tabler/icons-react'
import { exportsApi } from '@tatami/contract/exports/exports'
import type { NeededRight } from '@tatami/contract/needed-rights'
import { SALES_TAX_DRAFT } from '../dues/sales-tax-draft.ts'
import { FeedLoading } from '../calendar/feed-loading.tsx'
import { useCan, useCurrentUser } from '../lib/current-user.ts'
import { drafts } from '../lib/drafts.ts'
import { type LinkPath, PATHS } from '../lib/paths.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { useLinkedDialog } from '../lib/linked-dialog.ts'
import { FramedList } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { PanelColumns } from '../ui/panel.tsx'
import { Sheet } from '../ui/sheet.tsx'
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
const SalesTaxDialog = lazyComponent(() => import('../dues/sales-tax-dialog.tsx'), 'SalesTaxDialog')
const CalendarFeed = lazyComponent(
  () => import('../calendar/calendar-feed.tsx'),
  'CalendarFeed',
  <FeedLoading />,
)
const DojoDataSheet = lazyComponent(() => import('../exports/dojo-data.tsx'), 'DojoDataSheet')

/** The right that a member of staff needs for each dialog */
const DIALOG_RIGHTS = {
  settings: 'settings',
  look: 'settings',
  invite: 'students.edit',
  prices: ['money.see', 'settings'],
  tax: ['money.take', 'settings'],
  calendar: 'own',
  data: exportsApi.everything.right,
} as const satisfies Record<string, NeededRight>
type Dialog = keyof typeof DIALOG_RIGHTS
const DIALOGS = Object.keys(DIALOG_RIGHTS) as Dialog[]

const findDraftDialog = (): Dialog | null => {
  if (drafts.subjectOf('sibling-prices') !== undefined) return 'prices'
  return drafts.subjectOf(SALES_TAX_DRAFT) === undefined ? null : 'tax'
}

type Row = { icon: Icon; name: string; about: string } & (
  | { to: LinkPath; right?: NeededRight }
  | { dialog: Dialog; preload: () => void }
)

/** Links to the settings of the whole school. */
export function School() {
  const can = useCan()
  const [dialog, openDialog, closeDialog] = useLinkedDialog(
    DIALOGS.filter((name) => can(DIALOG_RIGHTS[name])),
    findDraftDialog,
  )
  const { dojo_name, city } = useCurrentUser()
  return (
    <div className={kit.stack}>
      <PageHeader title="School" />
      <PanelColumns>
        <Rows label="School" rows={listSchoolRows(dojo_name, city)} onOpen={openDialog} />
        <Rows label="Devices and data" rows={DEVICE_ROWS} onOpen={openDialog} />
      </PanelColumns>
      {dialog && <OpenDialog dialog={dialog} onClose={closeDialog} />}
    </div>
  )
}

type RowsProps = { label: string; rows: readonly Row[]; onOpen: (dialog: Dialog) => void }

/** Shows only the rows that the user may open. */
function Rows({ label, rows, onOpen }: RowsProps) {
  const can = useCan()
  const allowedRows = rows.filter((row) =>
    can('dialog' in row ? DIALOG_RIGHTS[row.dialog] : (row.right ?? 'any')),
  )
  if (allowedRows.length === 0) return null
  return (
    <FramedList aria-label={label}>
      {allowedRows.map(({ icon, name, about, ...target }) => (
        <SchoolRow
          key={name}
          {...{ icon, name, about }}
          {...('dialog' in target
            ? { preload: target.preload, onOpen: () => onOpen(target.dialog) }
            : { to: target.to })}
        />
      ))}
    </FramedList>
  )
}

const listSchoolRows = (dojoName: string | null, city: string | null): Row[] => [
  {
    icon: IconBuilding,
    name: 'Name and address',
    about: joinNonEmpty([dojoName, city]) || 'Also your email, password and time zone',
    dialog: 'settings',
    preload: SettingsDialog.preload,
  },
  {
    icon: IconPalette,
    name: 'Logo and color',
    about: 'On the join page, the kiosk, receipts and certificates',
    dialog: 'look',
    preload: SchoolLookSheet.preload,
  },
  {
    icon: IconUserPlus,
    name: 'Invite link',
    about: 'New students sign up by themselves',
    dialog: 'invite',
    preload: InvitationSheet.preload,
  },
  {
    icon: IconWorld,
    name: 'Public page',
    about: 'Your timetable and trial classes for visitors',
    to: PATHS.publicPage,
    right: 'settings',
  },
  {
    icon: IconWritingSign,
    name: 'Documents',
    about: 'Waivers and agreements to sign',
    to: PATHS.documents,
    right: 'students.read',
  },
  {
    icon: IconMessageCog,
    name: 'Texting',
    about: 'The service that sends your texts',
    to: PATHS.smsSetup,
    right: 'settings',
  },
  {
    icon: IconTags,
    name: 'Prices',
    about: 'Discounts for brothers and sisters',
    dialog: 'prices',
    preload: SiblingPricesDialog.preload,
  },
  {
    icon: IconTicket,
    name: 'Plans',
    about: 'What your school sells and what it costs',
    to: PATHS.plans,
    right: ['money.see', 'settings'],
  },
  {
    icon: IconReceiptTax,
    name: 'Sales tax',
    about: 'Rates by kind of charge, if your state taxes them',
    dialog: 'tax',
    preload: SalesTaxDialog.preload,
  },
  {
    icon: IconCreditCard,
    name: 'Online payment',
    about: 'Families pay by card or bank account',
    to: PATHS.onlinePayment,
    right: 'settings',
  },
  {
    icon: IconKarate,
    name: 'Belts',
    about: 'Your ranks and their requirements',
    to: PATHS.belts,
    right: 'settings',
  },
  {
    icon: IconUsersGroup,
    name: 'Staff',
    about: 'Who works here and what they can do',
    to: PATHS.staff,
    right: 'staff',
  },
  {
    icon: IconUserHeart,
    name: 'Leads',
    about: 'People who asked about your classes, and who to call next',
    to: PATHS.leads,
    right: 'roll',
  },
  {
    icon: IconSeedling,
    name: 'First 90 days',
    about: 'What you do for new students, so that they stay',
    to: PATHS.followups,
    right: 'students.read',
  },
  {
    icon: IconClock,
    name: 'Hours',
    about: 'When you worked',
    to: PATHS.hours,
  },
  {
    icon: IconReportMoney,
    name: 'Pay',
    about: 'Hours and pay of your staff',
    to: PATHS.pay,
    right: 'staff',
  },
]

const DEVICE_ROWS: Row[] = [
  {
    icon: IconDeviceTablet,
    name: 'Kiosk',
    about: 'Students check in on a tablet at the door',
    to: PATHS.kiosks,
    right: 'kiosk',
  },
  {
    icon: IconCalendarShare,
    name: 'Calendar',
    about: 'Your classes in your phone’s calendar',
    dialog: 'calendar',
    preload: CalendarFeed.preload,
  },
  {
    icon: IconCertificate,
    name: 'My certificates',
    about: 'Your first aid, courses and background checks',
    to: PATHS.myCertificates,
  },
  {
    icon: IconShieldCheck,
    name: 'Login and devices',
    about: 'Passkeys and where you are logged in',
    to: PATHS.security,
  },
  {
    icon: IconDatabaseExport,
    name: 'Your data',
    about: 'Download everything',
    dialog: 'data',
    preload: DojoDataSheet.preload,
  },
  {
    icon: IconListDetails,
    name: 'Audit log',
    about: 'Who did what in your school',
    to: PATHS.auditLog,
    right: 'staff',
  },
]

function OpenDialog({ dialog, onClose }: { dialog: Dialog; onClose: () => void }) {
  if (dialog === 'settings') return <SettingsDialog onClose={onClose} />
  if (dialog === 'look') return <SchoolLookSheet onClose={onClose} />
  if (dialog === 'invite') return <InvitationSheet onClose={onClose} />
  if (dialog === 'prices') return <SiblingPricesDialog onClose={onClose} />
  if (dialog === 'tax') return <SalesTaxDialog onClose={onClose} />
  if (dialog === 'data') return <DojoDataSheet onClose={onClose} />
  return (
    <Sheet opened onClose={onClose} title="Calendar">
      <CalendarFeed userRole="instructor" />
    </Sheet>
  )
}
