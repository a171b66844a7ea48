import { useEffect } from 'react'
import { pushOwner } from '../lib/push.ts'

/** Once a page, and only in a browser where somebody has turned push on. */
export function usePushRenewal(accountId: string) {
  useEffect(() => {
    if (pushOwner() === null) return
    import('./renew-push.ts')
      .then(({ renewPush }) => renewPush(accountId))
      .catch((error: unknown) => console.warn('Push notifications could not be renewed', error))
  }, [accountId])
}
