import type { ComponentType } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { findElement } from '../lib/find-element.ts'
import { ForgotPasswordDialog } from '../profile/forgot-password-dialog.tsx'
import { RegistrationDialog } from '../sensei/registration-dialog.tsx'
import { Providers } from '../ui/providers.tsx'

const DIALOGS = { 'new-instructor': RegistrationDialog, 'forgot-password': ForgotPasswordDialog }
export type DialogName = keyof typeof DIALOGS

let root: Root | undefined

/** Opens a React dialog on the login page, which is plain HTML. */
export function showDialog(name: DialogName, title: string) {
  root ??= createRoot(findElement('#dialogs'))
  const close = () => root?.render(null)
  const Dialog: ComponentType<{ title: string; onClose: () => void }> = DIALOGS[name]
  root.render(
    <Providers>
      <Dialog title={title} onClose={close} />
    </Providers>,
  )
}
