import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** What the service worker says to an open page (public/sw.js), and the end of the address it opens otherwise (send-push.ts). */
const MESSAGE = 'open-notifications',
  HASH = '#notifications'

/** Opens the notices when a tap on one, outside the page, has led here. */
export function useOpenedFromOutside(open: () => void) {
  const { hash, pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const openByAddress = useEffectEvent(() => {
    // Gone from the address, so that neither a reload nor the way back opens them again.
    void navigate({ pathname, search }, { replace: true, state })
    open()
  })
  const hear = useEffectEvent(({ data }: MessageEvent) => {
    if (data === MESSAGE) open()
  })
  useEffect(() => {
    if (hash === HASH) openByAddress()
  }, [hash])
  useEffect(() => {
    const worker = navigator.serviceWorker
    const listen = (message: MessageEvent) => hear(message)
    worker?.addEventListener('message', listen)
    return () => worker?.removeEventListener('message', listen)
  }, [])
}
