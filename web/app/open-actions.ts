import type { SignedInUser } from '@tatami/contract/accounts/users'
import { can } from '../lib/current-user.ts'
import type { Action } from './find.ts'
import { listActions } from './find-actions.ts'
import { mayOpen, screenAt } from './routes.tsx'

/** The actions that the user's rights open. If several have one title, the first of them. */
export function listOpenActions(user: SignedInUser): Action[] {
  const openActions = listActions().filter((action) => isOpen(action, user))
  const titles = openActions.map(({ title }) => title)
  return openActions.filter(({ title }, index) => titles.indexOf(title) === index)
}

function isOpen({ path, right = 'any' }: Action, user: SignedInUser): boolean {
  const screen = screenAt(path.split('?', 1)[0] ?? path)
  return can(user, right) && screen !== undefined && mayOpen(screen, user)
}
