import { Stack } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { FormNotice } from '../ui/form-notice.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'

export type NoticeProps = { title: string; onClose: () => void; onSent: (recipients: number) => void }
type Props = Pick<NoticeProps, 'title' | 'onClose'> & {
  busy: boolean
  unsent: boolean
  /** What to say of a sending that failed. */
  failure: ReactNode
  onSubmit: ComponentProps<typeof Sheet>['onSubmit']
  children: ReactNode
}

/** A notice being written; it cannot be put away while it is on its way. */
export const NoticeSheet = ({ title, onClose, busy, unsent, failure, onSubmit, children }: Props) => (
  <Sheet
    opened
    onClose={onClose}
    busy={busy}
    unsent={unsent}
    title={title}
    onSubmit={onSubmit}
    actions={
      <>
        <FormNotice>{failure}</FormNotice>
        <CancelButton />
        <BusyButton type="submit" busy={busy} busyLabel="Notifying...">
          Send
        </BusyButton>
      </>
    }
  >
    <Stack gap="md">{children}</Stack>
  </Sheet>
)
