import { useEffect } from 'react'

/** What the browser's tab is called. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Tatami`
  }, [title])
}
