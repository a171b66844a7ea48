import { Sheet } from '../ui/sheet.tsx'
import { LoginForm } from './login-form.tsx'

export const LoginDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Sheet opened={opened} onClose={onClose} title="Login" size="small">
    <LoginForm onDone={onClose} />
  </Sheet>
)
