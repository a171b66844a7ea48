import { IconEye } from '@tabler/icons-react'
import { staffApi } from '@tatami/contract/staff/staff'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FootBar } from '../ui/foot-bar.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import styles from './preview-banner.module.css'
import { useReloadDashboard } from '../lib/use-reload-dashboard.ts'

/** Shown while an owner previews the school as somebody else. */
export function PreviewBanner() {
  const { staff } = useCurrentUser()
  return staff?.seen_as != null && <Banner name={staff.seen_as} />
}

function Banner({ name }: { name: string }) {
  const reloadDashboard = useReloadDashboard()
  const endPreview = useEndpointMutation(staffApi.endView, {
    onSuccess: reloadDashboard,
    onError: (error) =>
      alertFailure(errorMessage(error, 'We couldn’t go back to your view. Please try again.')),
  })
  return (
    <FootBar place="preview">
      <aside className={styles.banner} aria-label="Preview">
        <p className={styles.text}>
          <IconEye size={20} aria-hidden />
          <span>
            You’re viewing the school as <strong>{name}</strong>
          </span>
        </p>
        <BusyButton
          size="sm"
          variant="default"
          busy={endPreview.isPending}
          busyLabel="Going back..."
          onClick={() => endPreview.mutate()}
        >
          Back to your view
        </BusyButton>
      </aside>
    </FootBar>
  )
}
