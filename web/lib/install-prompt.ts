/** The browser's prompt to install the app. It is deferred to a better moment
 *  (app/installed.tsx). */
export type InstallPrompt = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> }

declare global {
  interface WindowEventMap {
    beforeinstallprompt: InstallPrompt
  }
}

let deferredPrompt: InstallPrompt | undefined

export const installPrompt = () => deferredPrompt
export function subscribeToInstallPrompt(listener: () => void) {
  window.addEventListener('beforeinstallprompt', listener)
  return () => window.removeEventListener('beforeinstallprompt', listener)
}

export function deferInstallPrompt() {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    deferredPrompt = event
  })
}
