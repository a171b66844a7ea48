import type { SignedInUser } from '@tatami/contract/accounts/users'
import { can } from '../lib/current-user.ts'
import type { Action } from './find.ts'
import { listActions } from './find-actions.ts'
import { mayOpen, findScreen } from './routes.tsx'

/** Lists the actions that the user may open. If several have the same title, keeps the first. */
export function listOpenActions(user: SignedInUser): Action[] {
  const openActions = listActions().filter((action) => isOpen(action, user))
  const titles = openActions.map(({ title }) => title)
  return openActions.filter(({ title }, index) => titles.indexOf(title) === index)
}

function isOpen({ path, right = 'any' }: Action, user: SignedInUser): boolean {
  const screen = findScreen(path.split('?', 1)[0] ?? path)
  return can(user, right) && screen !== undefined && mayOpen(screen, user)
}
