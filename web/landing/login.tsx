import { createRoot, type Root } from 'react-dom/client'
import { LoginDialog } from '../profile/login-dialog.tsx'
import { Providers } from '../ui/providers.tsx'

let root: Root | undefined

function show(opened: boolean) {
  root ??= createRoot(document.getElementById('dialogs')!)
  root.render(
    <Providers>
      <LoginDialog opened={opened} onClose={() => show(false)} />
    </Providers>,
  )
}

/** Opens the login dialog over the landing page; a successful sign-in starts the app (landing-script.ts). */
export const showLogin = () => show(true)
