import { Sheet } from '../ui/sheet.tsx'
import { Invitation } from './invitation.tsx'

export const InvitationSheet = ({ onClose }: { onClose: () => void }) => (
  <Sheet opened onClose={onClose} title="Invite link">
    <Invitation />
  </Sheet>
)
