import { Button, type ButtonProps } from '@mantine/core'
import { IconMessage2 } from '@tabler/icons-react'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'

const WriteToSchool = lazyComponent(() => import('./write-to-school.tsx'), 'WriteToSchool')

type Props = Pick<ButtonProps, 'variant'> & { replyPhone: string }

/** For guardians. Reopens a message that was not sent before the session ended. */
export function WriteButton({ replyPhone, variant }: Props) {
  const [isWriting, setIsWriting] = useState(() => drafts.subjectOf('school-message') !== undefined)
  return (
    <>
      <Button
        variant={variant}
        leftSection={<IconMessage2 size={20} aria-hidden />}
        onClick={() => setIsWriting(true)}
        {...WriteToSchool.preloadOnHover}
      >
        Write to the school
      </Button>
      {isWriting && <WriteToSchool replyPhone={replyPhone} onClose={() => setIsWriting(false)} />}
    </>
  )
}
