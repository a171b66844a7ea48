import { useCurrentUser } from '../lib/current-user.ts'
import { PageHeader } from '../ui/page-header.tsx'

export function Greeting() {
  const { name, is_instructor, dojo_name } = useCurrentUser()
  const subtitle = !is_instructor ? 'Student Dashboard' : dojo_name ? `${dojo_name} Dashboard` : 'Instructor Dashboard'
  return <PageHeader title={`Welcome back, ${name}!`} subtitle={subtitle} ownTitle />
}
