import { useEffect } from 'react'

/** While there is something to lose, the browser asks before it reloads or closes the page. */
export function useUnloadWarning(isNeeded: boolean) {
  useEffect(() => {
    const warn = (event: Event) => isNeeded && event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isNeeded])
}
