/** The browser's own question whether Tatami shall be installed, kept until there is a good moment to ask (app/installed.tsx). */
export type InstallPrompt = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> }

let heldPrompt: InstallPrompt | undefined

export const installPrompt = () => heldPrompt

/** Once per document, before the browser asks by itself. */
export function holdInstallPrompt() {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    heldPrompt = event as InstallPrompt
  })
}
