/** The native app. Capacitor is loaded inside it and nowhere else. */

type Bridge = { isNativePlatform?: () => boolean }

export const isNative = (): boolean =>
  (globalThis as { Capacitor?: Bridge }).Capacitor?.isNativePlatform?.() === true

/** The back button first closes what lies on top, as Esc does; then it goes back, and from the first page to the phone's home. */
function goBack(canGoBack: boolean, leave: () => Promise<void>) {
  const top = [...document.querySelectorAll('dialog[open]')].at(-1)
  if (top) top.dispatchEvent(new Event('cancel', { cancelable: true }))
  else if (canGoBack) history.back()
  else void leave()
}

/** Does once what a page has to do inside the native app; elsewhere nothing. The app is told the status bar's colour; from Android 15 on
 *  none listens, and the page itself draws there (tokens.css). */
export async function startNative(): Promise<void> {
  if (!isNative() || 'native' in document.documentElement.dataset) return
  document.documentElement.dataset.native = ''
  const [{ StatusBar, Style }, { App }] = await Promise.all([
    import('@capacitor/status-bar'),
    import('@capacitor/app'),
  ])
  const { content: color } = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')!
  const results = await Promise.allSettled([
    App.addListener('backButton', ({ canGoBack }) => goBack(canGoBack, App.minimizeApp)),
    StatusBar.setStyle({ style: Style.Dark }),
    StatusBar.setBackgroundColor({ color }),
  ])
  // iOS has no back button; what a phone refuses it does not miss.
  for (const result of results)
    if (result.status === 'rejected') console.warn('Not in this app:', result.reason)
}
