import { Text } from '@mantine/core'
import { MessageDialog } from '../ui/message-dialog.tsx'

export const StudentUpdatedDialog = ({ name, onClose }: { name: string; onClose: () => void }) => (
  <MessageDialog title="Student Profile Updated!" role="alertdialog" button="OK" onClose={onClose}>
    <Text>The profile of {name} was successfully updated.</Text>
  </MessageDialog>
)
