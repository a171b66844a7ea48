/** The browser's install prompt, held back until there is a good moment (app/installed.tsx). */
export type InstallPrompt = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> }

let heldPrompt: InstallPrompt | undefined

export const installPrompt = () => heldPrompt

export function holdInstallPrompt() {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    heldPrompt = event as InstallPrompt
  })
}
