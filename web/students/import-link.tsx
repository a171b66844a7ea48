import { Button } from '@mantine/core'
import { IconTableImport } from '@tabler/icons-react'
import { importApi } from '@tatami/contract/import/import'
import { WithRight } from '../ui/with-right.tsx'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'

export function ImportLink() {
  const isPhone = useLayout() === 'mobile'
  return (
    <WithRight right={importApi.create.right}>
      <Button
        component={LayoutLink}
        to={PATHS.importStudents}
        // On a phone, the page replaces the dialog in the browser's history.
        replace={isPhone}
        variant="default"
        leftSection={<IconTableImport size={20} aria-hidden />}
      >
        Import students
      </Button>
    </WithRight>
  )
}
