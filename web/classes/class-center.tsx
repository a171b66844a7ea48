import { Button, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { useShell } from '../lib/shell.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ThumbBar } from '../ui/thumb-bar.tsx'
import { ClassManagement } from './class-management.tsx'

const AddClassDialog = lazyPart(() => import('./add-class-dialog.tsx').then((part) => part.AddClassDialog))

export function ClassCenter() {
  const [adding, setAdding] = useState(() => drafts.subjectOf('add-class') !== undefined)
  const add = () => setAdding(true)
  const mainAct = (
    <Button
      leftSection={<IconPlus size={20} aria-hidden />}
      onClick={add}
      onPointerEnter={AddClassDialog.preload}
      onFocus={AddClassDialog.preload}
    >
      Add New Class
    </Button>
  )
  return (
    <Stack gap="lg">
      <PageHeader title="Class Center" subtitle="Manage classes and schedules">
        {useShell() === 'desktop' && mainAct}
      </PageHeader>
      <ClassManagement onAdd={add} />
      <ThumbBar>{mainAct}</ThumbBar>
      {adding && <AddClassDialog onClose={() => setAdding(false)} />}
    </Stack>
  )
}
