import { findElement } from './find-element.ts'

/** The iOS and Android apps, which show these pages in a web view (Capacitor). */
type Bridge = { isNativePlatform?: () => boolean }

export const isNative = (): boolean =>
  (globalThis as { Capacitor?: Bridge }).Capacitor?.isNativePlatform?.() === true

function goBack(canGoBack: boolean, leaveApp: () => Promise<void>) {
  const topDialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  if (topDialog) topDialog.dispatchEvent(new Event('cancel', { cancelable: true }))
  else if (canGoBack) history.back()
  else void leaveApp()
}

/** Android 15 and later ignore the status bar color, so tokens.css draws it there. */
export async function startNative(): Promise<void> {
  if (!isNative() || 'native' in document.documentElement.dataset) return
  document.documentElement.dataset.native = ''
  const [{ StatusBar, Style }, { App }] = await Promise.all([
    import('@capacitor/status-bar'),
    import('@capacitor/app'),
  ])
  const color = findElement('meta[name="theme-color"]').getAttribute('content') ?? ''
  const results = await Promise.allSettled([
    App.addListener('backButton', ({ canGoBack }) => goBack(canGoBack, App.minimizeApp)),
    StatusBar.setStyle({ style: Style.Dark }),
    StatusBar.setBackgroundColor({ color }),
  ])
  for (const result of results)
    if (result.status === 'rejected') console.warn('This phone lacks a feature:', result.reason)
}
