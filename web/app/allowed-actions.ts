import type { SignedInUser } from '@tatami/contract/accounts/users'
import { can } from '../lib/current-user.ts'
import type { Action } from './find.ts'
import { listActions } from './find-actions.ts'
import { canOpen, findScreen } from './routes.tsx'

/** Lists the actions that the user has the rights for. If several have the same title, keeps the
 *  first. */
export function listAllowedActions(user: SignedInUser): Action[] {
  const allowedActions = listActions().filter((action) => isAllowed(action, user))
  const titles = allowedActions.map(({ title }) => title)
  return allowedActions.filter(({ title }, index) => titles.indexOf(title) === index)
}

function isAllowed({ path, right = 'any' }: Action, user: SignedInUser): boolean {
  const screen = findScreen(path.split('?', 1)[0] ?? path)
  return can(user, right) && screen !== undefined && canOpen(screen, user)
}
