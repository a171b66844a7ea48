import { Button, Stack } from '@mantine/core'
import { type ListedKiosk, kiosksApi } from '@tatami/contract/kiosk/kiosks'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { useState } from 'react'
import { failureMessage, progressProps } from '../lib/api.ts'
import { formatInstantDate, formatTimeOrDate } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Panel, PanelColumns } from '../ui/panel.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'
import kit from '../ui/kit.module.css'
import styles from './kiosks.module.css'

const KioskHereDialog = lazyComponent(() => import('./switch-on-dialogs.tsx'), 'KioskHereDialog')
const KioskLinkDialog = lazyComponent(() => import('./switch-on-dialogs.tsx'), 'KioskLinkDialog')

const REFRESH_OPTIONS = { refreshes: [kiosksApi.list] }

export function Kiosks() {
  const kiosks = useRetryingQuery(endpointQuery(kiosksApi.list))
  return (
    <Stack gap="lg">
      <PageHeader title="Kiosk" />
      {kiosks.data && (
        <PanelColumns>
          <NewKiosk />
          <Stack gap="lg">
            <KioskList kiosks={kiosks.data.kiosks} />
            <PinSettings settings={kiosks.data} />
          </Stack>
        </PanelColumns>
      )}
      <Loading query={kiosks} error="The kiosks could not be loaded.">
        <Skeletons count={3} height={160} label="Loading..." />
      </Loading>
    </Stack>
  )
}

function NewKiosk() {
  const [openDialog, setOpenDialog] = useState<'here' | 'link' | null>(null)
  const close = () => setOpenDialog(null)
  return (
    <Panel title="A tablet at the door">
      <p>
        Students check themselves in by name, by PIN, or with the QR code in their app. A kiosk
        can’t open anything else, and you can end it here at any time.
      </p>
      <p className={`${kit.muted} ${styles.tip}`}>
        To keep students on this page, turn on Guided Access (iPad) or pin the app (Android).
      </p>
      <div className={styles.actions}>
        <Button {...KioskHereDialog.preloadOnHover} onClick={() => setOpenDialog('here')}>
          Set up this device
        </Button>
        <Button
          variant="default"
          {...KioskLinkDialog.preloadOnHover}
          onClick={() => setOpenDialog('link')}
        >
          Set up another device
        </Button>
      </div>
      {openDialog === 'here' && <KioskHereDialog onClose={close} />}
      {openDialog === 'link' && <KioskLinkDialog onClose={close} />}
    </Panel>
  )
}

const KioskList = ({ kiosks }: { kiosks: readonly ListedKiosk[] }) => (
  <Panel title="Your kiosks">
    {kiosks.length === 0 ? (
      <p>No kiosks yet.</p>
    ) : (
      <FramedList aria-label="Kiosks">
        {kiosks.map((kiosk) => (
          <KioskRow key={kiosk.id} kiosk={kiosk} />
        ))}
      </FramedList>
    )}
  </Panel>
)

const describeKiosk = ({ link_expires_at, last_used_at }: ListedKiosk) => {
  if (link_expires_at)
    return `Link not opened yet. It works until ${formatTimeOrDate(link_expires_at)}`
  return last_used_at ? `Last used ${formatTimeOrDate(last_used_at)}` : 'Not used yet'
}

function KioskRow({ kiosk }: { kiosk: ListedKiosk }) {
  const { id, name, created_at } = kiosk
  const [isConfirming, setConfirming] = useState(false)
  const end = useEndpointMutation(kiosksApi.end, REFRESH_OPTIONS)
  return (
    <FramedRow
      name={name}
      details={[describeKiosk(kiosk), `Set up ${formatInstantDate(created_at)}`]}
    >
      <Button
        variant="subtle"
        color="red"
        aria-label={`End: ${name}`}
        onClick={() => setConfirming(true)}
      >
        End
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => end.mutate({ params: { id } })}
        title={`End ${name}?`}
        confirmLabel="End"
        danger
        busyLabel="Ending..."
        {...progressProps(end, 'The kiosk could not be ended. Please try again.')}
      >
        The tablet stops working as a kiosk right away. Check-ins it hasn’t sent yet are lost.
        Attendance is kept.
      </ConfirmDialog>
    </FramedRow>
  )
}

type PinSettingsProps = { settings: Reply<typeof kiosksApi.list> }

function PinSettings({ settings }: PinSettingsProps) {
  const { asks_pin, with_pin, students } = settings
  const save = useEndpointMutation(kiosksApi.setSettings, {
    ...REFRESH_OPTIONS,
    scope: { id: 'kiosk-settings' },
    waitsForRefresh: true,
  })
  return (
    <Panel title="PINs">
      <p>
        {with_pin} of {students} {students === 1 ? 'student has' : 'students have'} a PIN. Set one
        on a student’s page. Students and guardians can get one in their app.
      </p>
      <SwitchRow
        label="Ask for the PIN after a name"
        description="Off: students just tap their name. On: they also enter their PIN."
        checked={save.isPending ? save.variables.body.asks_pin : asks_pin}
        onChange={(isOn) => save.mutate({ body: { asks_pin: isOn } })}
        error={failureMessage(save, 'The setting could not be saved. Please try again.')}
      />
    </Panel>
  )
}
