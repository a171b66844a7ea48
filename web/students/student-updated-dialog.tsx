import { Button, Text } from '@mantine/core'
import { Sheet } from '../ui/sheet.tsx'

export const StudentUpdatedDialog = ({ name, onClose }: { name: string; onClose: () => void }) => (
  <Sheet
    opened
    onClose={onClose}
    title="Student Profile Updated!"
    size="small"
    role="alertdialog"
    actions={
      <Button onClick={onClose} data-autofocus>
        OK
      </Button>
    }
  >
    <Text>The profile of {name} was successfully updated.</Text>
  </Sheet>
)
