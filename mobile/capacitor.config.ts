import type { CapacitorConfig } from '@capacitor/cli'

const VIOLET = '#7c3aed',
  PAPER = '#faf7f2'

const url = process.env.TATAMI_URL?.replace(/\/+$/, '')
if (!url || !/^https?:\/\/[^/]+$/.test(url)) {
  throw new Error(
    'Set TATAMI_URL to the address of your Tatami, as in TATAMI_URL=https://tatami.your-dojo.com npm run sync',
  )
}

/** Every school runs its own Tatami: an app is made for one of them, and shows what that server serves. */
const config: CapacitorConfig = {
  appId: 'app.tatami.dojo',
  appName: 'Tatami',
  // Only the page for when the server cannot be reached.
  webDir: 'www',
  backgroundColor: PAPER,
  server: { url, cleartext: url.startsWith('http:'), errorPath: 'index.html' },
  // On the domains in Info.plist (app-bound-domains.mjs) the page has its service worker.
  ios: { limitsNavigationsToAppBoundDomains: true },
  plugins: {
    StatusBar: { style: 'DARK', backgroundColor: VIOLET, overlaysWebView: false },
    SystemBars: { style: 'DARK' },
    SplashScreen: {
      backgroundColor: VIOLET,
      launchShowDuration: 1000,
      launchFadeOutDuration: 150,
      showSpinner: false,
    },
  },
}

export default config
