import { ActionIcon, Stack } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Sheet } from './sheet.tsx'

/** A More button, which opens the actions of a screen that are rarely needed. */
export function MoreActions({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <ActionIcon
        variant="default"
        size={44}
        aria-label="More"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <IconDots size={20} />
      </ActionIcon>
      <Sheet opened={isOpen} onClose={() => setIsOpen(false)} title="More" size="small">
        <Stack gap="sm">{children}</Stack>
      </Sheet>
    </>
  )
}
