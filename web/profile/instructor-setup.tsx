import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Skeletons } from '../ui/skeletons.tsx'

const RegistrationDialog = lazyPart(
  () => import('../sensei/registration-dialog.tsx').then((part) => part.RegistrationDialog),
  <Skeletons count={0} label="Loading the form..." />,
)

const NAME = 'New Instructor Setup'

/** The way in for a new sensei. */
export function InstructorSetup() {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Anchor
        component="button"
        type="button"
        aria-haspopup="dialog"
        onPointerEnter={RegistrationDialog.preload}
        onFocus={RegistrationDialog.preload}
        onClick={() => setOpened(true)}
      >
        {NAME}
      </Anchor>
      {opened && <RegistrationDialog title={NAME} onClose={() => setOpened(false)} />}
    </>
  )
}
