/** The browser's own question whether Tatami shall be installed, kept until there is a good moment to ask (app/installed.tsx). */
export type InstallPrompt = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> }

let held: InstallPrompt | undefined

export const installPrompt = () => held

/** Once per document, before the browser asks by itself. */
export function holdInstallPrompt() {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    held = event as InstallPrompt
  })
}
