import { Button } from '@mantine/core'
import type { SentStaffInvitation } from '@tatami/contract/staff/staff-invitations'
import { firstName } from '@tatami/contract/lib/name-parts'
import { CopyField } from '../ui/copy-field.tsx'
import { Sheet } from '../ui/sheet.tsx'
import kit from '../ui/kit.module.css'

type Props = { sentInvitation: SentStaffInvitation; onClose: () => void }

/** The link is shown only once, because the server stores only its hash. */
export function SentInvitation({ sentInvitation, onClose }: Props) {
  const { invitation, link, is_sent } = sentInvitation
  const { name, email } = invitation
  return (
    <Sheet
      opened
      onClose={onClose}
      title={`Invite ${name}`}
      size="small"
      actions={<Button onClick={onClose}>Done</Button>}
    >
      <div className={kit.stack}>
        <p>
          {is_sent
            ? `We sent an email to ${email}. You can also send this link yourself.`
            : `Send this link to ${firstName(name)} in a text or a message.`}
        </p>
        <CopyField label="Invitation link" value={link} />
        <p className={kit.note}>It works once, within 7 days. We can’t show it again.</p>
      </div>
    </Sheet>
  )
}
