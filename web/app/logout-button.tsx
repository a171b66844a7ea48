import { Button, type ButtonProps } from '@mantine/core'
import { useState } from 'react'
import { logout } from '../profile/logout.ts'

export function LogoutButton(look: ButtonProps) {
  const [leaving, setLeaving] = useState(false)
  const leave = () => {
    setLeaving(true)
    void logout()
  }
  return (
    <Button variant="default" {...look} disabled={leaving} onClick={leave}>
      Logout
    </Button>
  )
}
