import { Button } from '@mantine/core'
import { IconTableImport } from '@tabler/icons-react'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'

export const ImportLink = () => (
  <Button
    component={LayoutLink}
    to={PATHS.importStudents}
    // On a phone, it replaces the history entry of the dialog around it.
    replace={useLayout() === 'mobile'}
    variant="default"
    leftSection={<IconTableImport size={20} aria-hidden />}
  >
    Import students
  </Button>
)
