import { Stack } from '@mantine/core'
import { DownloadCsv } from '../ui/download-csv.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { type PaymentAction, PaymentActions } from './payment-actions.tsx'
import type { PaymentsDownload } from './payment-download.ts'
import { type PaymentView, PaymentViewSwitch } from './view-switch.tsx'

type Props = {
  view: PaymentView
  download: PaymentsDownload
  onViewChange: (view: PaymentView) => void
  onOpen: (action: PaymentAction) => void
  onClose: () => void
}

/** On a phone, the payment actions that are needed less often than marking somebody paid. */
export const PaymentOptionsSheet = ({ onClose, ...options }: Props) => (
  <Sheet opened onClose={onClose} title="More" size="small">
    <Stack gap="sm">
      <PaymentViewSwitch view={options.view} onChange={options.onViewChange} />
      <PaymentActions onOpen={options.onOpen} />
      {options.download && <DownloadCsv {...options.download} />}
    </Stack>
  </Sheet>
)
