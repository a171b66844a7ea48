import type { CapacitorConfig } from '@capacitor/cli'

const VIOLET = '#7c3aed',
  PAPER = '#faf7f2'

const url = process.env.TATAMI_URL?.replace(/\/+$/, '')
if (!url || !/^https?:\/\/[^/]+$/.test(url)) {
  throw new Error(
    'Set TATAMI_URL to the address of your Tatami, as in ' +
      'TATAMI_URL=https://tatami.your-dojo.com npm run sync',
  )
}

/** Each app is built for one school's server and shows that server's website. */
const config: CapacitorConfig = {
  appId: 'app.tatami.dojo',
  appName: 'Tatami',
  webDir: 'www',
  backgroundColor: PAPER,
  server: { url, cleartext: url.startsWith('http:'), errorPath: 'index.html' },
  // The service worker needs this. See app-bound-domains.mjs.
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
